import type { IncomingMessage, ServerResponse } from 'node:http';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { Endpoint } from '@weir/contract/endpoint';
import { alertRoutes } from './api/alerts/alerts.ts';
import { auditRoutes } from './api/audit.ts';
import { billRoutes } from './api/bills/bills.ts';
import { channelModelRoutes } from './api/channels/channel-models.ts';
import { channelOperationRoutes, type ChannelOperationsDeps } from './api/channels/channel-operations.ts';
import { channelRouteRoutes } from './api/channels/channel-route.ts';
import { channelRoutes } from './api/channels/channels.ts';
import { chargeRoutes } from './api/logs/charges.ts';
import { createEmailCodes, type EmailCodes } from './api/sign-in/email-codes.ts';
import { groupRoutes } from './api/groups.ts';
import { identityRoutes } from './api/sign-in/identities.ts';
import { createHumanCheck } from './api/sign-in/human-check.ts';
import { ledgerRoutes } from './api/ledger.ts';
import { nodeRoutes } from './api/nodes.ts';
import type { NodeReporter } from './jobs/report-node.ts';
import { logRoutes } from './api/logs/logs.ts';
import { managedUserRoutes } from './api/users/managed-users.ts';
import { modelRoutes } from './api/models.ts';
import { networkLimitRoutes } from './api/network-limits.ts';
import { optionRoutes } from './api/options.ts';
import { registrationRoutes } from './api/sign-in/registration.ts';
import { releaseRoutes } from './api/releases.ts';
import { passwordResetRoutes } from './api/sign-in/password-reset.ts';
import { bookUpdateRoutes } from './api/prices/book-updates.ts';
import { ownPriceRoutes } from './api/prices/own-prices.ts';
import { pricingRoutes } from './api/prices/pricing.ts';
import { keyStandingRoutes } from './api/keys/key-standing.ts';
import { budgetRoutes } from './api/budgets/budgets.ts';
import { statementRoutes } from './api/statements/statements.ts';
import { runRoutes } from './api/runs/runs.ts';
import { invitationRoutes } from './api/invitations/invitations.ts';
import { keyPresetRoutes } from './api/invitations/key-presets.ts';
import { teamRoutes } from './api/teams/teams.ts';
import { rateLimitRoutes } from './api/rate-limits.ts';
import { redemptionRoutes } from './api/redemptions.ts';
import { sessionRoutes } from './api/sign-in/sessions.ts';
import { statusRoutes } from './api/status.ts';
import { tokenRoutes } from './api/tokens.ts';
import { usageRoutes } from './api/logs/usage.ts';
import { userRoutes } from './api/users/users.ts';
import type { Config } from './config.ts';
import { createAccountLimits } from './http/limits/account-limits.ts';
import { createAudit } from './http/audit.ts';
import { createTokenLimit } from './http/limits/token-limit.ts';
import { limitCalls } from './http/limits/call-limit.ts';
import { demandDeclarations } from './http/demand-declarations.ts';
import { createMailLimits } from './http/limits/mail-limits.ts';
import { serveMetrics } from './http/metrics.ts';
import { serveHealth } from './http/health/serve-health.ts';
import { describeApi } from './http/openapi.ts';
import type { Passwords } from './http/passwords/passwords.ts';
import type { HttpHandler } from './http/plain/exchange.ts';
import { PlainServer } from './http/plain/plain-server.ts';
import { renderError } from './http/render-error.ts';
import { createRequestId } from './http/request-id.ts';
import type { Routes } from './http/route.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { createSessions } from './http/sessions.ts';
import { isApi, serveConsole } from './http/static-files.ts';
import { watchUnlimitedPeers } from './http/unlimited-peers.ts';
import type { Mail } from './integrations/mail.ts';
import type { Outbound } from './integrations/outbound.ts';
import { createTurnstile } from './integrations/turnstile.ts';
import type { SendAlert } from './jobs/alerts/send-alert.ts';
import type { Background } from './jobs/background.ts';
import type { LogClearing } from './jobs/clear-logs.ts';
import type { Reconciler } from './jobs/reconcile.ts';
import type { Relay } from './relay/relay.ts';
import type { Changes } from './store/nodes/changes.ts';
import type { Database } from './store/database.ts';
import type { Options } from './store/options.ts';
import type { Secrets } from './store/credentials/secrets.ts';

export interface AppDeps {
  readonly config: Pick<Config, 'trustedProxies' | 'githubUrl' | 'larkUrl' | 'releasesUrl' | 'turnstileUrl'>;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly options: Options;
  readonly passwords: Passwords;
  readonly relay: Relay;
  readonly channelWork: Omit<ChannelOperationsDeps, 'changes' | 'clock' | 'testChannel'>;
  readonly outbound: Outbound;
  readonly mail: Mail;
  readonly background: Background;
  readonly logClearing: LogClearing;
  readonly reconciler: Reconciler;
  readonly reporter: Pick<NodeReporter, 'latest'>;
  readonly sendAlert: SendAlert;
  readonly clock: { now(): number };
  readonly log: FastifyBaseLogger;
  readonly metrics: Registry;
  /** The text of all figures. */
  readonly readMetrics: () => Promise<string>;
  /** The process was ordered to stop, and still takes calls. */
  readonly isDraining: () => boolean;
  /** The version of this program. */
  readonly build: string;
  /** The folder of the console's build; absent: the build's default. */
  readonly consoleDir?: string;
  /** Calls of the management API that one caller may make in a minute; absent: the default. */
  readonly callsPerMinute?: number;
}

const builtConsole = join(import.meta.dirname, '..', '..', 'console', 'dist');
/** The folder behind a link: a later build leads the link elsewhere, and this process goes on with its own. */
const folderOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
/** A table of ratios is the largest thing a console sends. */
const bodyMaxBytes = 1024 * 1024;
const defaultCallsPerMinute = 1000;
const descriptionPath = '/api/openapi.json';

/** Lists of models are 200 KB, and a tenth of it packed; what is shorter than a packet is not worth the work. */
const packing = {
  encodings: ['br', 'gzip'],
  threshold: 1400,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
} satisfies FastifyCompressOptions;

/** Slow and oversized heads and bodies are cut off before they cost anything (limits of `docs/operations.md`). */
const listenerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
} as const;
const headersMax = 100;
const connectionsMax = 10_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Two fields that name the host: a proxy in front and this process may read different ones (RFC 9112, 3.2). */
const namesTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

const refuse: Handler = (_, response) =>
  void response.writeHead(400, { connection: 'close', 'content-type': 'text/plain' }).end('two Host fields\n');

/** One server for both planes: relayed calls never pass through the framework. */
const listener =
  ({ relay, isDraining }: AppDeps) =>
  (manage: Handler): PlainServer => {
    /** The client's next request goes to another node. */
    const endWithThis = (response: Pick<ServerResponse, 'shouldKeepAlive'>): void => {
      if (isDraining()) response.shouldKeepAlive = false;
    };
    const handle: HttpHandler = (request, response) => {
      endWithThis(response);
      relay.handle(request, response);
    };
    const answer: Handler = (request, response) => {
      if (namesTwoHosts(request)) return refuse(request, response);
      if (relay.serves(request.url ?? '/')) return handle(request, response);
      endWithThis(response);
      manage(request, response);
    };
    const upgrades = (request: IncomingMessage): boolean => !namesTwoHosts(request) && relay.upgrades(request);
    // Clients that offer another protocol, such as HTTP/2, are answered in HTTP/1.1.
    const options = { ...listenerLimits, shouldUpgradeCallback: upgrades, serves: relay.serves, handle };
    const server = new PlainServer(options, answer);
    server.on('upgrade', relay.upgrade);
    server.maxHeadersCount = headersMax;
    server.maxConnections = connectionsMax;
    return server;
  };

const createFramework = (deps: AppDeps): FastifyInstance => {
  const { config, clock, log } = deps;
  return fastify({
    serverFactory: listener(deps),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => createRequestId(clock.now()),
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    bodyLimit: bodyMaxBytes,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
  });
};

/** Consoles and scripts send JSON under several names, or under none; an empty body is no body. */
const acceptJson = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, String(body), done);
  });
};

/** Routes that give access to an account: registration and password reset. */
const entryRoutes = (routes: Routes, deps: AppDeps, emailCodes: EmailCodes): void => {
  const { clock, config, db, options, outbound } = deps;
  const verifyHuman = createTurnstile({ outbound, options, turnstileUrl: config.turnstileUrl });
  const checkHuman = createHumanCheck({ ...routes.deps, verifyHuman });
  const limits = { accountLimits: createAccountLimits({ db, clock }), mailLimits: createMailLimits({ db, clock }) };
  registrationRoutes(routes, { ...deps, ...limits, checkHuman, emailCodes });
  passwordResetRoutes(routes, { ...deps, ...limits, checkHuman });
};

const priceRoutes = (routes: Routes, { relay, outbound, clock }: AppDeps): void => {
  const { prices, sent } = relay;
  pricingRoutes(routes, relay);
  ownPriceRoutes(routes, { prices, sent, clock });
  bookUpdateRoutes(routes, { prices, outbound, sent, clock });
};

/** What callers may spend and ask for. */
const callerRoutes = (routes: Routes, deps: Pick<AppDeps, 'changes' | 'clock' | 'relay'>): void => {
  keyStandingRoutes(routes, { clock: deps.clock, offered: deps.relay.offered });
  redemptionRoutes(routes, deps);
  rateLimitRoutes(routes, deps);
  budgetRoutes(routes, deps);
  runRoutes(routes, deps);
  statementRoutes(routes, deps);
  teamRoutes(routes, deps);
  keyPresetRoutes(routes, deps);
  invitationRoutes(routes, deps);
  groupRoutes(routes);
};

/** What is watched, and what was done. */
const watchRoutes = (routes: Routes, deps: AppDeps): void => {
  alertRoutes(routes, deps);
  auditRoutes(routes);
};

/** Builds the gateway: the management API below, the relay beside it, and the console's files for every other path. */
export const buildApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { build, changes, clock, config, db, options, passwords, relay, secrets } = deps;
  const consoleDir = folderOf(deps.consoleDir ?? builtConsole);
  const app = createFramework(deps);
  demandDeclarations(app, [descriptionPath]);
  acceptJson(app);
  app.setErrorHandler(renderError);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-oneapi-request-id', request.id);
    if (isApi(request.url)) reply.header('cache-control', 'no-store');
  });
  const unlimitedPeers = watchUnlimitedPeers(app, config.trustedProxies);
  serveMetrics(app, deps.metrics, deps.readMetrics);
  serveHealth(app, deps);
  await app.register(compress, { ...packing, globalDecompression: false });
  await app.register(cookie);
  app.decorateRequest('actor');
  await limitCalls(app, deps.callsPerMinute ?? defaultCallsPerMinute);
  await addSecurityHeaders(app, { consoleDir, options, turnstileUrl: config.turnstileUrl });

  const endpoints: Endpoint[] = [];
  const timed = { db, clock };
  const sessions = createSessions(timed);
  const routes: Routes = {
    app,
    endpoints,
    deps: { db, secrets, options, sessions, audit: createAudit(timed), tokenLimit: createTokenLimit(timed) },
  };
  const { githubUrl, larkUrl, turnstileUrl } = config;
  const updateCheck = config.releasesUrl !== undefined;
  const startTime = Math.floor(clock.now() / 1000);
  statusRoutes(routes, { build, startTime, updateCheck, githubUrl, larkUrl, turnstileUrl });
  sessionRoutes(routes, { passwords, clock });
  const emailCodes = createEmailCodes({ db, secrets, clock });
  identityRoutes(routes, { outbound: deps.outbound, changes, clock, githubUrl, larkUrl, emailCodes });
  entryRoutes(routes, deps, emailCodes);
  userRoutes(routes, { passwords, changes, clock });
  managedUserRoutes(routes, { passwords, changes, clock });
  tokenRoutes(routes, { changes, clock });
  channelRoutes(routes, { changes, clock });
  channelOperationRoutes(routes, { ...deps.channelWork, changes, clock, testChannel: relay.testChannel });
  channelModelRoutes(routes, { ...relay, clock });
  channelRouteRoutes(routes, { explainRoute: relay.explainRoute });
  callerRoutes(routes, { changes, clock, relay });
  modelRoutes(routes, { prices: relay.prices, clock });
  priceRoutes(routes, deps);
  logRoutes(routes, { clearing: deps.logClearing, clock });
  usageRoutes(routes, { clock });
  chargeRoutes(routes);
  billRoutes(routes, { outbound: deps.outbound, clock });
  ledgerRoutes(routes, deps);
  nodeRoutes(routes, deps);
  networkLimitRoutes(routes, unlimitedPeers);
  watchRoutes(routes, deps);
  optionRoutes(routes, relay);
  releaseRoutes(routes, { outbound: deps.outbound, releasesUrl: config.releasesUrl });

  const description = describeApi(endpoints, build);
  app.get(descriptionPath, async () => description);
  await serveConsole(app, consoleDir);
  return app;
};
