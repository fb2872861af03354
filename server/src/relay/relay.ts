import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { explainHeader, type Route } from '@weir/contract/channel-route';
import { role } from '@weir/contract/roles';
import { decodeSegment } from '../dialects/scan/decode-segment.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { openAiRealtime } from '../dialects/openai/openai-realtime.ts';
import { AppError } from '../errors.ts';
import { languageOf } from '../http/language.ts';
import { createRequestId } from '../http/request-id.ts';
import { isBillingPath } from './call/billing-dashboard.ts';
import { type Client, createClient } from './client/client.ts';
import { corsHeaders } from './client/cors.ts';
import { clientFormOf } from './client/client-form.ts';
import { countCall } from './call/count-call.ts';
import { createGate } from './client/gate.ts';
import type { RelayedCall } from './call/relayed-call.ts';
import { answerRoute, type RouteQuestion } from './routing/answer-route.ts';
import { type OfferedModel, offeredModels } from './routing/offered-models.ts';
import { isProxyPath, proxyCall } from './call/proxy-call.ts';
import { assemble, type RelayParts, type RelayDeps } from './assemble.ts';
import { betaHeader, realtimeCall, realtimePath, type Upgrade } from './realtime/realtime.ts';
import { relayCall } from './call/relay-call.ts';
import { FailedUpstream, RelayError, renderRelayError } from './client/relay-error.ts';
import { readRequest, readWithoutBody } from './client/read-request.ts';
import { ClientGoneError } from './client/request-body.ts';
import { type ChannelTestResult, testChannel } from './call/test-channel.ts';
import { type Access, checkModel } from './client/token-check.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

/** The data plane: every path that clients of the models use. */
export interface Relay {
  /** Whether a request path (with or without a query) belongs to the relay. */
  serves(url: string): boolean;
  /** Answers a request to such a path. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Whether a request asks for a WebSocket that the relay has. */
  upgrades(request: IncomingMessage): boolean;
  /** Answers such a request. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends a test request the way the relay would. Empty model: the channel's own choice. */
  testChannel(channelId: number, model: string, cancelled: AbortSignal): Promise<ChannelTestResult>;
  /** What a group can call now, and at what prices. */
  offered(group: string): Promise<readonly OfferedModel[]>;
  /** Where a call would go now. */
  explainRoute(question: RouteQuestion): Promise<Route>;
  /** Takes no more requests, waits for the running ones, and ends what runs beyond the limit. */
  close(): Promise<void>;
}

/** One request on its way through the relay. */
interface ClientRequest {
  readonly request: IncomingMessage;
  readonly client: Client;
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
  readonly startedMs: number;
  /** Null: the path is no call of a model. */
  readonly dialect: Dialect | null;
  /** Null: the request stays HTTP. */
  readonly upgrade: Upgrade | null;
}

const relayPaths = ['/v1', '/dashboard/billing/', '/rerank', '/v2/rerank'];
const json = ['content-type', 'application/json; charset=utf-8'];

const noHeaders = {};

/** The client's headers that a dialect lets through. */
const headersFor = ({ headers: names }: Dialect, { headers }: IncomingMessage): Readonly<Record<string, string>> => {
  if (names.length === 0) return noHeaders;
  const through: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') through[name] = value;
  }
  return through;
};

const relayModelCall = async (parts: RelayParts, exchange: ClientRequest, dialect: Dialect): Promise<void> => {
  const { context, prices, tokenCheck, sessions } = parts;
  const { request, client, requestId, path, query, startedMs, upgrade } = exchange;
  const checked = tokenCheck.check(request);
  const access = checked instanceof Promise ? await checked : checked;
  const contentType = request.headers['content-type'] ?? '';
  const kept = (id: string) => context.responseItems.find(access.payer.userId, id);
  const reading = { dialect, head: { path, query, contentType, kept } };
  const { inbound, rest } =
    upgrade === null ? await readRequest(context.limits, request, reading) : readWithoutBody(reading);
  let counting: Promise<number> | null = null;
  const call: RelayedCall = {
    requestId,
    access,
    dialect,
    inbound,
    client,
    rest,
    contentType,
    accept: request.headers.accept ?? '',
    headers: { ...headersFor(dialect, request), ...(upgrade !== null && betaHeader(request)) },
    path,
    query,
    prices: prices.current(),
    startedMs,
    attempts: [],
    explains: request.headers[explainHeader] !== undefined && access.role >= role.admin,
    countPrompt: () => (counting ??= context.tokens.chat(inbound.model, inbound.countable())),
  };
  try {
    checkModel(access, inbound.model);
    const checkAccess = async () => checkModel(await tokenCheck.check(request), inbound.model);
    if (upgrade !== null) await realtimeCall(context, { call, upgrade, sessions, checkAccess });
    else if (dialect.count === undefined) await relayCall(context, call);
    else await countCall(context, call, dialect.count);
  } finally {
    rest?.close();
  }
};

const listed = async ({ context }: RelayParts, access: Access): Promise<readonly string[]> => {
  const loading = context.routes.ready();
  if (loading !== null) await loading;
  return access.models === null ? context.routes.models(access.group) : [...access.models];
};

const models = async (parts: RelayParts, { request, client, path }: ClientRequest): Promise<void> => {
  const access = await parts.tokenCheck.check(request);
  const names = await listed(parts, access);
  const { models: form } = clientFormOf(request, path);
  const id = decodeSegment(path.replace(/^\/v1(?:beta)?\/models\/?/, ''));
  if (id === '') return client.answer(200, json, form.list(names));
  const found = form.one(id, names);
  if (found === null) throw new RelayError('model_unknown', { model: id });
  client.answer(200, json, found);
};

const proxied = async (
  { context, tokenCheck, notes, addressOf }: RelayParts,
  exchange: ClientRequest,
): Promise<void> => {
  const access = await tokenCheck.check(exchange.request);
  await proxyCall(context, notes, { ...exchange, access, address: addressOf(exchange.request) });
};

const billing = async (parts: RelayParts, { request, client, path }: ClientRequest): Promise<void> => {
  const access = await parts.tokenCheck.check(request);
  client.answer(200, json, await parts.billing.answer(path, access));
};

/** What such a client may ask elsewhere, but is bound to one account of one vendor (wire contract 3.4). */
const notOffered = /^\/v1\/(?:files|fine_tuning|fine-tunes|assistants|threads|batches|vector_stores|videos)(?:\/|$)/;

const notImplemented = async ({ tokenCheck }: RelayParts, { request, client }: ClientRequest): Promise<void> => {
  await tokenCheck.check(request);
  const error = { message: 'API not implemented', type: 'one_api_error', param: '', code: 'api_not_implemented' };
  client.answer(501, json, JSON.stringify({ error }));
};

/** The route table of the relay. */
const route = (parts: RelayParts, exchange: ClientRequest): Promise<void> | void => {
  const { request, client, path, dialect } = exchange;
  const { method = 'GET' } = request;
  const reads = method === 'GET' || method === 'HEAD';
  if ((method === 'POST' || exchange.upgrade !== null) && dialect !== null)
    return relayModelCall(parts, exchange, dialect);
  if (method !== 'OPTIONS' && isProxyPath(path)) return proxied(parts, exchange);
  if (reads && /^\/v1(?:beta)?\/models(?:\/.|$)/.test(path)) return models(parts, exchange);
  if (reads && isBillingPath(path)) return billing(parts, exchange);
  if (method !== 'OPTIONS' && notOffered.test(path)) return notImplemented(parts, exchange);
  if (method === 'DELETE' && /^\/v1\/models\/./.test(path)) return notImplemented(parts, exchange);
  if (method === 'OPTIONS' && corsHeaders(request).length > 0) return client.answer(204, [], '');
  const message = `Invalid URL (${method} ${path})`;
  const error = { message, type: 'invalid_request_error', param: '', code: '' };
  return client.answer(404, json, JSON.stringify({ error }));
};

/** What a failure means to a client: its own refusals, upstream failures, and everything else. */
const toRelayError = (error: unknown): unknown => {
  if (!(error instanceof AppError)) return error;
  return error.code === 'unavailable' || error.code === 'storage_full'
    ? new RelayError('database_unavailable', {}, error)
    : error;
};

const expected = (error: unknown): boolean =>
  error instanceof FailedUpstream ||
  (error instanceof RelayError && error.code !== 'internal' && error.code !== 'database_unavailable');

/** Answers a failure, as far as the client can still be answered. */
const answerError = ({ context }: RelayParts, exchange: ClientRequest, thrown: unknown): void => {
  const { request, client, requestId, path } = exchange;
  if (client.gone() && (thrown instanceof ClientGoneError || thrown instanceof UpstreamError || expected(thrown)))
    return;
  if (thrown instanceof ClientGoneError) return;
  const error = toRelayError(thrown);
  if (!expected(error)) context.log.error({ err: error, request_id: requestId, path }, 'relayed call failed');
  const form = exchange.dialect?.errors ?? clientFormOf(request, path).errors;
  const { error: told, retryAfter } = renderRelayError(error, languageOf(request.headers['accept-language']));
  if (client.started()) return client.breakOff(form.event(told, requestId));
  const headers = retryAfter === '' ? json : [...json, 'retry-after', retryAfter];
  client.answer(told.status, headers, form.body(told, requestId));
};

/** An address as path and query, the latter with its question mark or empty. */
const takeApart = (url: string): { readonly path: string; readonly query: string } => {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
};

/** Answers a request for another protocol for as long as it is HTTP, and ends its connection with that. */
const refusable = (request: IncomingMessage): ServerResponse => {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  response.on('finish', () => request.socket.destroySoon());
  return response;
};

/** How long calls that were ended by the stop may take to settle. */
const settleMs = 5000;

type Upgrading = Pick<Upgrade, 'socket' | 'head'>;

/** What is known of a request before it is looked at. */
const openClientRequest = (
  { context, batchPerTick }: RelayParts,
  request: IncomingMessage,
  response: ServerResponse,
  upgrading?: Upgrading,
): ClientRequest => {
  const startedMs = context.clock.now();
  const requestId = createRequestId(startedMs);
  const headers = ['x-oneapi-request-id', requestId, ...corsHeaders(request)];
  const client = createClient({ request, response, headers, stalledMs: context.limits.stalledClientMs, batchPerTick });
  const { path, query } = takeApart(request.url ?? '/');
  const common = { request, client, requestId, path, query, startedMs };
  if (upgrading === undefined) return { ...common, dialect: dialectOf(path, query), upgrade: null };
  return { ...common, dialect: openAiRealtime, upgrade: { request, response, headers, ...upgrading } };
};

/** Builds the relay. Rejects when the database cannot be read. */
export const createRelay = async (deps: RelayDeps): Promise<Relay> => {
  const parts = await assemble(deps);
  const { context } = parts;
  const gate = createGate();

  const serve = async (request: IncomingMessage, response: ServerResponse, upgrading?: Upgrading): Promise<void> => {
    const exchange = openClientRequest(parts, request, response, upgrading);
    try {
      if (gate.closed()) throw new RelayError('stopping');
      if (gate.running() >= context.limits.inFlightMax) throw new RelayError('overloaded');
      gate.enter();
      try {
        await route(parts, exchange);
      } finally {
        gate.leave();
      }
    } catch (error) {
      answerError(parts, exchange, error);
    }
    context.observer.onAnswer(response.headersSent || response.statusCode === 101 ? response.statusCode : 0);
  };
  const unanswered = (error: unknown) => context.log.error({ err: error }, 'error response failed');

  return {
    serves: (url) => relayPaths.some((path) => url.startsWith(path)),
    handle: (request, response) => {
      serve(request, response).catch((error: unknown) => {
        unanswered(error);
        response.destroy();
      });
    },
    upgrades: ({ url = '', method, headers }) =>
      method === 'GET' && takeApart(url).path === realtimePath && /^websocket$/i.test(headers.upgrade ?? ''),
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      serve(request, refusable(request), { socket, head }).catch((error: unknown) => {
        unanswered(error);
        socket.destroy();
      });
    },
    testChannel: async (channelId, model, cancelled) => {
      const channel = await context.routes.find(channelId);
      if (channel === null) throw new AppError('not_found');
      const requestId = createRequestId(deps.clock.now());
      return testChannel(context, deps.db, { channel, asked: model, requestId, cancelled });
    },
    offered: (group) => offeredModels(context.routes, parts.prices, group),
    explainRoute: (question) => answerRoute(context, question),
    close: async () => {
      const drained = gate.close(context.limits.drainMs);
      parts.sessions.stop();
      await drained;
      await parts.sessions.end();
      await parts.end();
      await gate.close(settleMs);
    },
  };
};
