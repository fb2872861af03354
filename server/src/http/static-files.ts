import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { corsHeaders } from './cors.ts';

/** Whether a path belongs to programs: an unknown one gets JSON, never a page. */
export const isApi = (url: string): boolean => /^\/(?:api|v1)(?:[/?]|$)/.test(url);

/** Addresses of other servers' APIs, which clients try without `/v1`, or with a version that this gateway does not have. */
const isForeignApi = (path: string): boolean =>
  /^\/(?:v\d+(?:alpha|beta)?\d*|mcp|sse|openai|anthropic|chat\/completions|completions|embeddings|responses|messages|rerank|\.well-known)(?:\/|$)/.test(
    path,
  );

/** A program that names what it takes, and no page among it. */
const takesNoPage = ({ accept = '*/*' }: FastifyRequest['headers']): boolean =>
  !/\*\/\*|text\/(?:html|\*)/.test(accept);

/** The answer to a path that nothing serves (wire contract 1.2). */
const unknownCall = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
  reply.code(404).send({
    error: { message: `Invalid URL (${request.method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
  });

const notBuilt = 'The console is not built. Start the gateway with: npm start\n';

/**
 * Serves the console's build: hashed files for a year, its page for every other address, so that deep links and
 * reloads work. Unknown calls keep their JSON answer, and a preflight of another origin gets 204 (wire contract 1.6).
 */
export const serveConsole = async (app: FastifyInstance, consoleDir: string): Promise<void> => {
  const built = existsSync(join(consoleDir, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: consoleDir,
      preCompressed: true,
      index: false,
      cacheControl: false,
      wildcard: true,
      // Folders have no page of their own: left to the plugin, one is forbidden to a client that takes no compression.
      allowedPath: (path) => !path.endsWith('/') && path !== '/assets',
      setHeaders: (response, path) => {
        const hashed = relative(consoleDir, path).startsWith(`assets${sep}`);
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    const cors = request.method === 'OPTIONS' ? corsHeaders(request.raw) : [];
    if (cors.length > 0) {
      for (let i = 0; i < cors.length; i += 2) reply.header(cors[i] ?? '', cors[i + 1]);
      return reply.code(204).send();
    }
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (isApi(path) || isForeignApi(path) || !isPage) return unknownCall(request, reply, path);
    if (!built) return reply.code(503).type('text/plain').send(notBuilt);
    if (path.startsWith('/assets/'))
      return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('Not found\n');
    return takesNoPage(request.headers) ? unknownCall(request, reply, path) : reply.sendFile('index.html');
  });
};
