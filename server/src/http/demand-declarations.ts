import type { FastifyInstance } from 'fastify';
import { isApi } from './static-files.ts';

/**
 * A call that no constant of the contract declares says nothing of who may make it and what it changes, so that no test
 * would look at it: a gateway that has one does not start. `besides`: paths that may stand without, for everybody.
 */
export const demandDeclarations = (app: FastifyInstance, besides: readonly string[]): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (isApi(url) && config?.endpoint === undefined && !besides.includes(url)) {
      throw new Error(`${String(method)} ${url} is in no file of the contract`);
    }
  });
};
