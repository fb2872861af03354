import type { FastifyInstance } from 'fastify';
import { isApi } from './static-files.ts';

/**
 * A route without a declaration in the contract has no access level and no effect, so no test would cover it: a gateway
 * that has one does not start. `besides`: paths that need no declaration and are public.
 */
export const demandDeclarations = (app: FastifyInstance, besides: readonly string[]): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (isApi(url) && config?.endpoint === undefined && !besides.includes(url)) {
      throw new Error(`${String(method)} ${url} is in no file of the contract`);
    }
  });
};
