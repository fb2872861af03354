import { livenessPaths, readinessPath } from '@weir/contract/health';
import type { FastifyInstance } from 'fastify';
import { createReadiness, type ReadinessDeps } from './readiness.ts';

const methods = ['GET', 'HEAD'];

/** Serves the paths that supervisors and balancers ask. */
export const serveHealth = (app: FastifyInstance, deps: ReadinessDeps): void => {
  const readiness = createReadiness(deps);
  for (const url of livenessPaths) {
    app.route({
      method: methods,
      url,
      handler: async (_request, reply) => reply.header('cache-control', 'no-store').type('text/plain').send('ok\n'),
    });
  }
  app.route({
    method: methods,
    url: readinessPath,
    handler: async (_request, reply) => {
      const answer = await readiness();
      return reply
        .code(answer.ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(answer);
    },
  });
};
