import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from an answer out of memory to one that waited for a busy disk. */
const buckets = [0.005, 0.025, 0.1, 0.5, 2.5];

/** A registry with what is known of the process itself; each part of the gateway adds its own figures to it. */
export const createMetrics = (build: string): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const facts = new Gauge({
    name: 'weir_build_info',
    help: 'Version of this process; always 1.',
    labelNames: ['version'],
    registers: [registry],
  });
  facts.set({ version: build }, 1);
  return registry;
};

/** Counts and times the answers of the management plane, and serves what `read` has at `/metrics`. It holds no secret. */
export const serveMetrics = (app: FastifyInstance, registry: Registry, read: () => Promise<string>): void => {
  const answers = new Histogram({
    name: 'weir_management_request_duration_seconds',
    help: 'Requests to the management API and the console, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none' } = request.routeOptions;
    answers.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (_request, reply) => {
    reply.header('cache-control', 'no-store').type(registry.contentType);
    return read();
  });
};
