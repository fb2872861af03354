import type { IncomingMessage, ServerResponse } from 'node:http';
import { explainHeader, type Route } from '@weir/contract/channel-route';
import { role } from '@weir/contract/roles';
import type { Accounts } from '../billing/accounts.ts';
import { createPrices, type Prices } from '../billing/prices.ts';
import { createTokenCounter } from '../billing/token-counter.ts';
import { decodeSegment } from '../dialects/decode-segment.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { AppError } from '../errors.ts';
import { createClientAddress } from '../http/client-address.ts';
import { languageOf } from '../http/language.ts';
import { createRequestId } from '../http/request-id.ts';
import type { Changes } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { Options } from '../store/options.ts';
import type { Secrets } from '../store/secrets.ts';
import { createAffinity } from './affinity.ts';
import { createAddressGuard, type PrivateUpstreams } from './address-guard.ts';
import { type BillingDashboard, createBillingDashboard, isBillingPath } from './billing-dashboard.ts';
import { type Client, createClient } from './client.ts';
import { corsHeaders } from './cors.ts';
import { clientFormOf } from './client-form.ts';
import { countCall } from './count-call.ts';
import type { Job, RelayLog, RelayTools } from './job.ts';
import { answerRoute, type RouteQuestion } from './answer-route.ts';
import { contentLimits, type RelayLimits, relayLimits } from './limits.ts';
import { createKeptItems } from './kept-items.ts';
import { type OfferedModel, offeredModels } from './offered-models.ts';
import { isProxyPath, proxyCall } from './proxy-call.ts';
import { relayCall } from './relay-call.ts';
import { FailedUpstream, RelayError, renderRelayError } from './relay-error.ts';
import { readRequest } from './read-request.ts';
import { ClientGoneError } from './request-body.ts';
import { createRests } from './rests.ts';
import { loadRoutingTable } from './routing-table.ts';
import { watchSettings } from './settings.ts';
import { type ChannelTestResult, testChannel } from './test-channel.ts';
import { createSupplies } from './supplies.ts';
import { createTranslations } from './translations.ts';
import { type Access, checkModel, createTokenCheck, type TokenCheck } from './token-check.ts';
import { UpstreamError } from './upstream-error.ts';
import { createUpstream } from './upstream.ts';
import { type RelayWatch, unwatched } from './watch.ts';

/** The data plane: every path that clients of the models use. */
export interface Relay {
  /** Whether a request path (with or without a query) belongs to the relay. */
  serves(url: string): boolean;
  /** Answers a request to such a path. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Sends a test request the way the relay would. Empty model: the channel's own choice. */
  testChannel(channelId: number, model: string, cancelled: AbortSignal): Promise<ChannelTestResult>;
  /** What a group can call now, and at what prices. */
  offered(group: string): Promise<readonly OfferedModel[]>;
  /** Where a call would go now. */
  explainRoute(question: RouteQuestion): Promise<Route>;
  /** Takes no more requests, waits for the running ones, and ends what runs beyond the limit. */
  close(): Promise<void>;
}

export interface RelayDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly options: Options;
  readonly accounts: Accounts;
  readonly clock: { now(): number };
  readonly log: RelayLog;
  readonly config: { readonly trustedProxies: readonly string[]; readonly privateUpstreams: PrivateUpstreams };
  readonly testPrompt: string;
  /** Absent: the defaults. */
  readonly limits?: Partial<RelayLimits>;
  /** Absent: nobody follows what happens. */
  readonly watch?: RelayWatch;
}

interface Parts {
  readonly tools: RelayTools;
  readonly tokenCheck: TokenCheck;
  readonly prices: Prices;
  readonly billing: BillingDashboard;
}

/** One request on its way through the relay. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly client: Client;
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
  readonly startedMs: number;
  /** Null: the path is no call of a model. */
  readonly dialect: Dialect | null;
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

const call = async ({ tools, prices, tokenCheck }: Parts, exchange: Exchange, dialect: Dialect): Promise<void> => {
  const { request, client, requestId, path, query, startedMs } = exchange;
  const checked = tokenCheck.check(request);
  const access = checked instanceof Promise ? await checked : checked;
  const contentType = request.headers['content-type'] ?? '';
  const kept = (id: string) => tools.kept.find(access.payer.userId, id);
  const { inbound, rest } = await readRequest(tools.limits, request, {
    dialect,
    asked: { path, query, contentType, kept },
  });
  let counting: Promise<number> | null = null;
  const job: Job = {
    requestId,
    access,
    dialect,
    inbound,
    client,
    rest,
    contentType,
    accept: request.headers.accept ?? '',
    headers: headersFor(dialect, request),
    path,
    query,
    prices: prices.current(),
    startedMs,
    attempts: [],
    explains: request.headers[explainHeader] !== undefined && access.role >= role.admin,
    countPrompt: () =>
      (counting ??=
        inbound.metered === undefined
          ? tools.tokens.chat(inbound.model, inbound.countable())
          : Promise.resolve(inbound.metered)),
  };
  try {
    checkModel(access, inbound.model);
    if (dialect.count === undefined) await relayCall(tools, job);
    else await countCall(tools, job, dialect.count);
  } finally {
    rest?.close();
  }
};

const listed = async ({ tools }: Parts, access: Access): Promise<readonly string[]> => {
  const loading = tools.routes.ready();
  if (loading !== null) await loading;
  return access.models === null ? tools.routes.models(access.group) : [...access.models];
};

const models = async (parts: Parts, { request, client, path }: Exchange): Promise<void> => {
  const access = await parts.tokenCheck.check(request);
  const names = await listed(parts, access);
  const { models: form } = clientFormOf(request, path);
  const id = decodeSegment(path.replace(/^\/v1(?:beta)?\/models\/?/, ''));
  if (id === '') return client.answer(200, json, form.list(names));
  const found = form.one(id, names);
  if (found === null) throw new RelayError('model_unknown', { model: id });
  client.answer(200, json, found);
};

const proxied = async (parts: Parts, exchange: Exchange): Promise<void> => {
  const access = await parts.tokenCheck.check(exchange.request);
  await proxyCall(parts.tools, { ...exchange, access });
};

const billing = async (parts: Parts, { request, client, path }: Exchange): Promise<void> => {
  const access = await parts.tokenCheck.check(request);
  client.answer(200, json, await parts.billing.answer(path, access));
};

/** What such a client may ask elsewhere, but is bound to one account of one vendor (wire contract 3.4). */
const notOffered = /^\/v1\/(?:files|fine_tuning|fine-tunes|assistants|threads|batches|vector_stores|videos)(?:\/|$)/;

const notImplemented = async ({ tokenCheck }: Parts, { request, client }: Exchange): Promise<void> => {
  await tokenCheck.check(request);
  const error = { message: 'API not implemented', type: 'one_api_error', param: '', code: 'api_not_implemented' };
  client.answer(501, json, JSON.stringify({ error }));
};

/** The route table of the relay. */
const route = (parts: Parts, exchange: Exchange): Promise<void> | void => {
  const { request, client, path, dialect } = exchange;
  const { method = 'GET' } = request;
  const reads = method === 'GET' || method === 'HEAD';
  if (method === 'POST' && dialect !== null) return call(parts, exchange, dialect);
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
const answerError = ({ tools }: Parts, exchange: Exchange, thrown: unknown): void => {
  const { request, client, requestId, path } = exchange;
  if (client.gone() && (thrown instanceof ClientGoneError || thrown instanceof UpstreamError || expected(thrown)))
    return;
  if (thrown instanceof ClientGoneError) return;
  const error = toRelayError(thrown);
  if (!expected(error)) tools.log.error({ err: error, request_id: requestId, path }, 'a relayed call failed');
  const form = exchange.dialect?.errors ?? clientFormOf(request, path).errors;
  const { error: told, retryAfter } = renderRelayError(error, languageOf(request.headers['accept-language']));
  if (client.started()) return client.breakOff(form.event(told, requestId));
  const headers = retryAfter === '' ? json : [...json, 'retry-after', retryAfter];
  client.answer(told.status, headers, form.body(told, requestId));
};

const assemble = async (deps: RelayDeps): Promise<Parts & { end(): Promise<void> }> => {
  const { accounts, changes, clock, config, db, log, options, secrets } = deps;
  const limits = { ...relayLimits, ...deps.limits };
  const onError = (error: unknown) => log.error({ err: error }, 'the relay could not read or write the database');
  const routes = await loadRoutingTable({ db, secrets, changes, times: limits, onError });
  const addressOf = createClientAddress(config.trustedProxies);
  const tokenCheck = await createTokenCheck({ db, secrets, changes, accounts, clock, addressOf, onError });
  const prices = createPrices(options);
  const settings = watchSettings(options);
  const tokens = createTokenCounter({ approximate: () => options.get('ApproximateTokenEnabled') });
  const upstream = createUpstream({ guard: createAddressGuard(config.privateUpstreams), limits });
  // Whatever operators may reach with their channels, callers never reach a private address.
  const content = createUpstream({ guard: createAddressGuard('deny'), limits: { ...limits, ...contentLimits } });
  return {
    tools: {
      kind: db.kind,
      limits,
      upstream,
      supplies: createSupplies({ upstream, content, limits, clock }),
      routes,
      rests: createRests({ clock }),
      affinity: createAffinity({ clock }),
      translations: createTranslations(),
      kept: createKeptItems({ clock, keptMs: limits.keptMs, roomMax: limits.keptMax }),
      accounts,
      tokens,
      settings: settings.current,
      testPrompt: deps.testPrompt,
      clock,
      random: Math.random,
      log,
      watch: deps.watch ?? unwatched,
    },
    tokenCheck,
    prices,
    billing: createBillingDashboard({ db, options }),
    end: async () => {
      routes.close();
      tokenCheck.close();
      prices.close();
      settings.close();
      await upstream.close();
      await content.close();
      await tokens.close();
    },
  };
};

/** Counts what runs, so that a stop can wait for it. */
const createGate = () => {
  let running = 0;
  let closed = false;
  let emptied: (() => void) | null = null;
  return {
    running: () => running,
    closed: () => closed,
    enter: () => void running++,
    leave: () => {
      running--;
      if (running === 0) emptied?.();
    },
    /** Resolves when nothing runs any more, or after `drainMs`. */
    close: async (drainMs: number): Promise<void> => {
      closed = true;
      if (running === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      emptied = resolve;
      const timer = setTimeout(resolve, drainMs);
      await promise;
      clearTimeout(timer);
    },
  };
};

/** An address as path and query, the latter with its question mark or empty. */
const takeApart = (url: string): { readonly path: string; readonly query: string } => {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
};

/** How long calls that were ended by the stop may take to settle. */
const settleMs = 5000;

/** Builds the relay. Rejects when the database cannot be read. */
export const createRelay = async (deps: RelayDeps): Promise<Relay> => {
  const parts = await assemble(deps);
  const { tools } = parts;
  const gate = createGate();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedMs = deps.clock.now();
    const requestId = createRequestId(startedMs);
    const client = createClient({
      request,
      response,
      headers: ['x-oneapi-request-id', requestId, ...corsHeaders(request)],
      stalledMs: tools.limits.stalledClientMs,
    });
    const { path, query } = takeApart(request.url ?? '/');
    const exchange = {
      request,
      client,
      requestId,
      path,
      query,
      startedMs,
      dialect: dialectOf(path, query),
    };
    try {
      if (gate.closed()) throw new RelayError('stopping');
      if (gate.running() >= tools.limits.inFlightMax) throw new RelayError('overloaded');
      gate.enter();
      try {
        await route(parts, exchange);
      } finally {
        gate.leave();
      }
    } catch (error) {
      answerError(parts, exchange, error);
    }
    tools.watch.answered(response.headersSent ? response.statusCode : 0);
  };

  return {
    serves: (url) => relayPaths.some((path) => url.startsWith(path)),
    handle: (request, response) => {
      serve(request, response).catch((error: unknown) => {
        tools.log.error({ err: error }, 'a failure could not be answered');
        response.destroy();
      });
    },
    testChannel: async (channelId, model, cancelled) => {
      const channel = await tools.routes.find(channelId);
      if (channel === null) throw new AppError('not_found');
      const requestId = createRequestId(deps.clock.now());
      return testChannel(tools, deps.db, { channel, asked: model, requestId, cancelled });
    },
    offered: (group) => offeredModels(tools.routes, parts.prices, group),
    explainRoute: (question) => answerRoute(tools, question),
    close: async () => {
      await gate.close(tools.limits.drainMs);
      await parts.end();
      await gate.close(settleMs);
    },
  };
};
