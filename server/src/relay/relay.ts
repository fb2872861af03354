import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Prices } from '../billing/price/prices.ts';
import { openAiErrors } from '../dialects/openai/openai-errors.ts';
import { explainHeader, type Route } from '@weir/contract/channel-route';
import { role } from '@weir/contract/roles';
import type { Dialect, Inbound } from '../dialects/dialect.ts';
import { decodeSegment } from '../dialects/scan/decode-segment.ts';
import { AppError } from '../errors.ts';
import { languageOf } from '../http/language.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/plain/exchange.ts';
import { createRequestId } from '../http/request-id.ts';
import { assemble, type RelayDeps, type RelayParts } from './assemble.ts';
import { isProxyPath, proxyCall } from './call/proxy-call.ts';
import { enterAndRun } from './enter-and-run.ts';
import { limitsOf } from './enter-limits.ts';
import type { RelayContext } from './call/relay-context.ts';
import type { RelayedCall } from './call/relayed-call.ts';
import { type ChannelTestResult, testChannel } from './call/test-channel.ts';
import { isBillingPath } from './client/billing-dashboard.ts';
import { refuseNavigation } from './client/browser-forms.ts';
import { clientFormOf } from './client/client-form.ts';
import {
  type ClientRequest,
  openClientRequest,
  refusalResponse,
  splitAddress,
  type Upgrade,
} from './client/client-request.ts';
import { corsHeaders } from '../http/cors.ts';
import { readRequest, readWithoutBody } from './client/read-request.ts';
import { FailedUpstream, RelayError, renderRelayError } from './client/relay-error.ts';
import { ClientGoneError } from './client/request-body.ts';
import { type Access, checkModel } from './client/token-check.ts';
import { betaHeader, realtimePath } from './realtime/realtime.ts';
import { createGate } from './gate.ts';
import { reportRefusal } from './refused-call.ts';
import { attemptMemory } from './upstream/attempt-memory.ts';
import { type ChannelState, channelStates } from './routing/channel-states.ts';
import { type CallMemory, MemoryError } from './memory/memory-budget.ts';
import { answerRoute, type RouteQuestion } from './routing/explain-route.ts';
import { offeredModels, type OfferedModel, sentModels, type SentModel } from './routing/offered-models.ts';
import { GivenIds } from './state/given-state.ts';
import { findNamedState, type NamedState } from './state/named-state.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

/** The data plane: every path that clients of the models use. */
export interface Relay {
  /** Whether a request path (with or without a query) belongs to the relay. */
  serves(url: string): boolean;
  /** Answers a request to such a path. Never throws. */
  readonly handle: HttpHandler;
  /** Whether a request asks for a WebSocket that the relay has. */
  upgrades(request: IncomingMessage): boolean;
  /** Answers such a request. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends a test request the way the relay would. Empty model: the channel's own choice. */
  testChannel(channelId: number, model: string, cancelled: AbortSignal): Promise<ChannelTestResult>;
  /** The prices of now, list prices and own ones. */
  readonly prices: Prices;
  /** The models that a group can call now, with prices. */
  offered(group: string): Promise<readonly OfferedModel[]>;
  /** The models that enabled channels send to their upstreams. */
  sent(): Promise<readonly SentModel[]>;
  /** What the provider of a channel, as it is described, lists for its key. */
  readonly listModels: RelayParts['listModels'];
  /** The route of a call made now. */
  explainRoute(question: RouteQuestion): Promise<Route>;
  /** Enabled channels and their circuits. */
  channelStates(): readonly ChannelState[];
  /** Requests that run now. */
  running(): number;
  /** Those of them that wait for a channel with room. */
  queued(): number;
  /** Takes no more requests, waits for the running ones, and ends what runs beyond the limit. */
  close(): Promise<void>;
}

const relayPaths = ['/v1', '/dashboard/billing/', '/rerank', '/v2/rerank'];
const json = ['content-type', 'application/json; charset=utf-8'];
const noHeaders = {};

/** The client's headers that a dialect forwards. */
const headersFor = ({ headers: names }: Dialect, { headers }: HttpRequest): Readonly<Record<string, string>> => {
  if (names.length === 0) return noHeaders;
  const through: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') through[name] = value;
  }
  return through;
};

/** A request for a session has one of its own. */
const forwarded = (dialect: Dialect, { message, upgrade }: ClientRequest): Readonly<Record<string, string>> =>
  upgrade === null ? headersFor(dialect, message) : { ...headersFor(dialect, message), ...betaHeader(message) };

interface ModelCall {
  readonly access: Access;
  readonly dialect: Dialect;
  readonly memory: CallMemory;
}

/** Runs a call with an account of the bytes that it holds, which ends when the client has got its answer. */
const withMemory = (
  { context }: RelayParts,
  { client, upgrade }: ClientRequest,
  { payer }: Access,
  run: (memory: CallMemory) => Promise<void>,
): Promise<void> => {
  const memory = context.memory.open(payer.userId);
  // A session's response is not used for what it sends.
  if (upgrade !== null) return run(memory).finally(() => memory.end());
  client.onClosed(() => memory.end());
  return run(memory);
};

const countPrompt = async ({ tokens }: RelayContext, inbound: Inbound, { uncounted }: NamedState): Promise<number> =>
  uncounted + (await tokens.chat(inbound.model, inbound.countable()));

const noteInbound = ({ facts }: ClientRequest, { model, stream }: Inbound): void => {
  facts.model = model;
  facts.stream = stream;
};

/** Waits only for what is not there yet: each wait of a call takes half a microsecond. */
const whenPresent = <Value>(value: Value | Promise<Value>, use: (value: Value) => Promise<void>): Promise<void> =>
  value instanceof Promise ? value.then(use) : use(value);

/** Checks the request; the call is then relayed and settled by its kind. */
const relayModelCall = async (
  parts: RelayParts,
  request: ClientRequest,
  { access, dialect, memory }: ModelCall,
): Promise<void> => {
  const { context, prices, tokenCheck } = parts;
  const { responseItems: items, limits } = context;
  const { message, path, query, upgrade } = request;
  const { userId } = access.payer;
  const contentType = message.headers['content-type'] ?? '';
  const reading = { dialect, head: { path, query, contentType, kept: (id: string) => items.find(userId, id) } };
  const read = upgrade === null ? readRequest({ limits, memory }, message, reading) : readWithoutBody(reading);
  const { inbound, rest } = read instanceof Promise ? await read : read;
  noteInbound(request, inbound);
  const finding = findNamedState(context, userId, inbound);
  const namedState = finding instanceof Promise ? await finding : finding;
  const loadingRates = context.rateLimits.ready();
  if (loadingRates !== null) await loadingRates;
  const givenIds = new GivenIds();
  let counting: Promise<number> | null = null;
  const call: RelayedCall = {
    // Named one by one: an object of this size that begins with a spread takes three times the memory.
    message,
    client: request.client,
    requestId: request.requestId,
    path,
    query,
    startedMs: request.startedMs,
    facts: request.facts,
    upgrade,
    context,
    dialect,
    access,
    payer: access.payer,
    run: null,
    inbound,
    rest,
    contentType: inbound.contentType ?? contentType,
    accept: message.headers.accept ?? '',
    headers: forwarded(dialect, request),
    memory: attemptMemory(memory),
    rates: limitsOf(context, access, inbound),
    prices: prices.current(),
    attempts: request.facts.attempts,
    explains: message.headers[explainHeader] !== undefined && access.role >= role.admin,
    namedState,
    givenIds,
    checkAccess: async () => checkModel(await tokenCheck.check(message), inbound.model),
    keepItem: (id, value) => {
      givenIds.add(id);
      items.keep(userId, id, value);
    },
    countPrompt: () => (counting ??= countPrompt(context, inbound, namedState)),
  };
  try {
    await enterAndRun(call, parts);
  } finally {
    call.rates?.end();
    rest?.close();
  }
};

/** Checks the token of a request. */
const admit = ({ tokenCheck, addressOf }: RelayParts, { facts, message }: ClientRequest): Access | Promise<Access> => {
  const note = (access: Access): Access => {
    facts.access = access;
    // Now, as a connection that ends has none.
    facts.address = addressOf(message);
    return access;
  };
  const checked = tokenCheck.check(message);
  return checked instanceof Promise ? checked.then(note) : note(checked);
};

/** Checks the token of a call and relays it. */
const modelCall = (parts: RelayParts, request: ClientRequest, dialect: Dialect): Promise<void> => {
  refuseNavigation(request.message);
  return whenPresent(admit(parts, request), (access) =>
    withMemory(parts, request, access, (memory) => relayModelCall(parts, request, { access, dialect, memory })),
  );
};

const listed = async ({ context }: RelayParts, access: Access): Promise<readonly string[]> => {
  const loading = context.routes.ready();
  if (loading !== null) await loading;
  return access.models === null ? context.routes.models(access.group) : [...access.models];
};

const models = async (parts: RelayParts, request: ClientRequest): Promise<void> => {
  const { message, client, path, query } = request;
  // A key in an address is for programs: a browser would keep it in its history.
  if (/[?&]key=/.test(query)) refuseNavigation(message);
  const access = await admit(parts, request);
  const names = await listed(parts, access);
  const { models: form } = clientFormOf(message, path);
  const id = decodeSegment(path.replace(/^\/v1(?:beta)?\/models\/?/, ''));
  if (id === '') return client.answer(200, json, form.list(names));
  const found = form.one(id, names);
  if (found === null) throw new RelayError('model_unknown', { model: id });
  client.answer(200, json, found);
};

const proxied = async (parts: RelayParts, request: ClientRequest): Promise<void> => {
  const { notes, addressOf } = parts;
  refuseNavigation(request.message);
  const access = await admit(parts, request);
  const { context } = parts;
  await withMemory(parts, request, access, (memory) =>
    proxyCall(context, notes, { ...request, access, memory, address: addressOf(request.message) }),
  );
};

const billing = async (parts: RelayParts, request: ClientRequest): Promise<void> => {
  const access = await admit(parts, request);
  request.client.answer(200, json, await parts.billing.answer(request.path, access));
};

/** Endpoints whose data belongs to one account of one vendor, so that no gateway can route them (wire contract 3.4). */
const notOffered = /^\/v1\/(?:files|fine_tuning|fine-tunes|assistants|threads|batches|vector_stores|videos)(?:\/|$)/;

const notImplemented = async (parts: RelayParts, request: ClientRequest): Promise<void> => {
  await admit(parts, request);
  const error = { message: 'API not implemented', type: 'one_api_error', param: '', code: 'api_not_implemented' };
  request.client.answer(501, json, JSON.stringify({ error }));
};

/** The route table of the relay. */
const route = (parts: RelayParts, request: ClientRequest): Promise<void> | void => {
  const { message, client, path, dialect, upgrade } = request;
  const { method = 'GET' } = message;
  const reads = method === 'GET' || method === 'HEAD';
  if ((method === 'POST' || upgrade !== null) && dialect !== null) return modelCall(parts, request, dialect);
  if (method !== 'OPTIONS' && isProxyPath(path)) return proxied(parts, request);
  if (reads && /^\/v1(?:beta)?\/models(?:\/.|$)/.test(path)) return models(parts, request);
  if (reads && isBillingPath(path)) return billing(parts, request);
  if (method !== 'OPTIONS' && notOffered.test(path)) return notImplemented(parts, request);
  if (method === 'DELETE' && /^\/v1\/models\/./.test(path)) return notImplemented(parts, request);
  if (method === 'OPTIONS' && corsHeaders(message).length > 0) return client.answer(204, [], '');
  const message404 = `Invalid URL (${method} ${path})`;
  if (clientFormOf(message, path).errors !== openAiErrors) throw new RelayError('unknown_path', { detail: message404 });
  const error = { message: message404, type: 'invalid_request_error', param: '', code: '' };
  return client.answer(404, json, JSON.stringify({ error }));
};

/** The error for the client: refusals, upstream failures, and everything else. */
const toRelayError = (error: unknown): unknown => {
  if (error instanceof MemoryError) return new RelayError(`memory_${error.bound}`, {}, error);
  if (!(error instanceof AppError)) return error;
  return error.code === 'unavailable' || error.code === 'storage_full'
    ? new RelayError('database_unavailable', {}, error)
    : error;
};

const expected = (error: unknown): boolean =>
  error instanceof FailedUpstream ||
  (error instanceof RelayError && error.code !== 'internal' && error.code !== 'database_unavailable');

/** Answers a failure, as far as the client can still be answered. */
const answerError = (parts: RelayParts, request: ClientRequest, thrown: unknown): void => {
  const { context } = parts;
  const { message, client, requestId, path } = request;
  if (client.gone() && (thrown instanceof ClientGoneError || thrown instanceof UpstreamError || expected(thrown)))
    return;
  if (thrown instanceof ClientGoneError) return;
  const error = toRelayError(thrown);
  if (!expected(error)) context.log.error({ err: error, request_id: requestId, path }, 'relayed call failed');
  const form = request.dialect?.errors ?? clientFormOf(message, path).errors;
  const { error: rendered, retryAfter } = renderRelayError(error, languageOf(message.headers['accept-language']));
  if (client.started()) return client.breakOff(form.event(rendered, requestId));
  const named = [...json, 'x-request-id', requestId];
  const headers = retryAfter === '' ? named : [...named, 'retry-after', retryAfter];
  client.answer(rendered.status, headers, form.body(rendered, requestId));
  reportRefusal(parts, request, { error, rendered, retryAfter });
};

/** How long calls that the shutdown ended may take to settle. */
const settleMs = 5000;

type UpgradeSocket = Omit<Upgrade, 'headers'>;

/** Admits requests up to the limit, and routes them. */
const createServer = (parts: RelayParts) => {
  const { context, batchPerTick } = parts;
  const { limits, clock, log, observer } = context;
  const { stalledClientMs: stalledMs } = limits;
  const gate = createGate();
  const serve = async (message: HttpRequest, response: HttpResponse, upgrade: UpgradeSocket | null) => {
    const request = openClientRequest({ clock, stalledMs, batchPerTick, message, response, upgrade });
    try {
      if (gate.closed()) throw new RelayError('stopping');
      if (gate.running() >= limits.inFlightMax) throw new RelayError('overloaded');
      gate.enter();
      try {
        await route(parts, request);
      } finally {
        gate.leave();
      }
    } catch (error) {
      answerError(parts, request, error);
    }
    observer.onAnswer(request, response.headersSent || response.statusCode === 101 ? response.statusCode : 0);
  };
  const onUnanswered = (error: unknown) => log.error({ err: error }, 'error response failed');
  return { gate, serve, onUnanswered };
};

/** Builds the relay. Rejects when the database cannot be read. */
export const createRelay = async (deps: RelayDeps): Promise<Relay> => {
  const parts = await assemble(deps);
  const { context } = parts;
  const { gate, serve, onUnanswered } = createServer(parts);

  return {
    serves: (url) => relayPaths.some((path) => url.startsWith(path)),
    handle: (request, response) => {
      serve(request, response, null).catch((error: unknown) => {
        onUnanswered(error);
        response.destroy();
      });
    },
    upgrades: ({ url = '', method, headers }) =>
      method === 'GET' && splitAddress(url).path === realtimePath && /^websocket$/i.test(headers.upgrade ?? ''),
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const response = refusalResponse(request);
      serve(request, response, { request, response, socket, head }).catch((error: unknown) => {
        onUnanswered(error);
        socket.destroy();
      });
    },
    testChannel: async (channelId, model, cancelled) => {
      const channel = await context.routes.find(channelId);
      if (channel === null) throw new AppError('not_found');
      const requestId = createRequestId(deps.clock.now());
      const order = { channel, requestedModel: model, requestId, prices: parts.prices.current(), cancelled };
      return testChannel(context, deps.db, order);
    },
    offered: (group) => offeredModels(context.routes, parts.prices, { group, atMs: deps.clock.now() }),
    sent: () => sentModels(context.routes),
    prices: parts.prices,
    listModels: parts.listModels,
    explainRoute: (question) => answerRoute(context, question),
    channelStates: () => channelStates(context.routes, context.breaker),
    running: gate.running,
    queued: () => context.rateLimits.queue.waiting(),
    close: async () => {
      const drained = gate.close(context.limits.drainMs);
      parts.sessions.stop();
      await drained;
      await parts.sessions.end();
      await parts.end(() => gate.close(settleMs));
    },
  };
};
