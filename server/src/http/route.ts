import type { Readable } from 'node:stream';
import type { BodyOf, DataOf, Endpoint, ExtraOf, ParamsOf, QueryOf } from '@weir/contract/endpoint';
import { totalHeader } from '@weir/contract/wire';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import type { Options } from '../store/options.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import type { Audit } from './audit.ts';
import type { AddressLimit } from './limits/address-limit.ts';
import { authenticate, type Actor } from './authenticate.ts';
import { refuseCrossSite } from './cross-site.ts';
import { inputFaults } from './input-faults.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; undefined if the endpoint is public. */
    actor: Actor | undefined;
  }
  interface FastifyContextConfig {
    /** The endpoint that a route serves; undefined for pages and files. */
    endpoint?: Endpoint;
  }
}

/** Of public endpoints: strangers must not make the server parse more than their forms hold. */
const publicBodyMaxBytes = 16 * 1024;

/** The input of a handler: parsed input, and the caller (undefined if the endpoint is public). */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly actor: E['access'] extends 'public' ? undefined : Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The answer of a handler: `data` where the endpoint has one, members beside it, or a failure in the answer itself. */
export type Answer<E extends Endpoint> = {
  readonly success?: boolean;
  readonly message?: string;
  /** The answer itself, of an endpoint with `files`. */
  readonly file?: { readonly type: string; readonly name: string; readonly content: Readable };
} & (E['counted'] extends true
  ? {
      /** The length of the whole list; undefined: not counted for this page. */
      readonly total: number | undefined;
    }
  : { readonly total?: never }) &
  (undefined extends E['data'] ? { readonly data?: never } : { readonly data: DataOf<E> }) &
  (undefined extends E['extra'] ? { readonly extra?: never } : { readonly extra: ExtraOf<E> });

export interface RouteDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly options: Options;
  readonly audit: Audit;
  /** Counts access tokens that no user has. */
  readonly tokenLimit: Pick<AddressLimit, 'enter'>;
}

/** All registered endpoints: for the description and the access test. */
export interface Routes {
  readonly app: FastifyInstance;
  readonly deps: RouteDeps;
  readonly endpoints: Endpoint[];
}

const parse = (
  schema: v.GenericSchema | undefined,
  input: unknown,
  code: 'invalid_parameter' | 'invalid_input',
): unknown => {
  if (schema === undefined) return undefined;
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new AppError(code, { faults: inputFaults(result.issues) });
};

const readCall = <const E extends Endpoint>(endpoint: E, request: FastifyRequest, reply: FastifyReply): Call<E> => {
  const call = {
    params: parse(endpoint.params, request.params, 'invalid_parameter'),
    query: parse(endpoint.query, request.query, 'invalid_parameter'),
    body: parse(endpoint.body, request.body ?? {}, 'invalid_input'),
    actor: request.actor,
    request,
    reply,
  };
  // The boundary between a contract constant and its types: the schemas just parsed these values.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return call as Call<E>;
};

/**
 * Serves one endpoint of the contract: refuses cross-site calls with effects, finds out who asks, and only then reads
 * the body, parses, calls the handler and puts its answer into the envelope. Failures are thrown and rendered by
 * `render-error.ts`.
 */
export const route = <const E extends Endpoint>(
  { app, deps, endpoints }: Routes,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>>,
): void => {
  endpoints.push(endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint, rateLimit: {} },
    ...(endpoint.access === 'public' && { bodyLimit: publicBodyMaxBytes }),
    ...(endpoint.bodyMaxBytes !== undefined && { bodyLimit: endpoint.bodyMaxBytes }),
    onRequest: async (request) => {
      if (endpoint.effect) refuseCrossSite(request, deps.options.get('ServerAddress'));
      if (endpoint.access !== 'public') request.actor = await authenticate(deps, request, endpoint.access);
    },
    handler: async (request, reply) => {
      const answer = await handler(readCall(endpoint, request, reply));
      const { success = true, message = '', data, extra = {}, file, total } = answer;
      if (total !== undefined) reply.header(totalHeader, total);
      if (file !== undefined) {
        const disposition = `attachment; filename="${file.name}"`;
        return reply.type(file.type).header('content-disposition', disposition).send(file.content);
      }
      if (endpoint.form === 'bare') return reply.send(data);
      return reply.send({ success, message, ...(data === undefined ? {} : { data }), ...Object(extra) });
    },
  });
};
