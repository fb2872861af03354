import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { createAccounts } from './billing/accounts.ts';
import { builtInRatios } from './billing/price/prices.ts';
import type { Config } from './config.ts';
import { createDraining } from './http/health/draining.ts';
import { listenAt } from './http/listen-at.ts';
import { createMetrics } from './http/metrics.ts';
import { createPasswords, type PasswordCost, type Passwords } from './http/passwords/passwords.ts';
import { createMail } from './integrations/mail.ts';
import { createReadCertificate } from './integrations/certificate.ts';
import { createOutbound } from './integrations/outbound.ts';
import { startAlerting } from './jobs/alerts/alerting.ts';
import { createCertificates } from './jobs/alerts/certificates.ts';
import { createBackground } from './jobs/background.ts';
import { startCleanUp } from './jobs/clean-up.ts';
import { createLogClearing, type LogClearing } from './jobs/clear-logs.ts';
import { startExpiryReminders } from './jobs/reminders/expiry-reminders.ts';
import { startShipLogs } from './jobs/log-shipping/ship-logs.ts';
import { startNodeReporter } from './jobs/report-node.ts';
import { startLogRetention } from './jobs/retain-logs.ts';
import { startChannelWork } from './jobs/channels/channel-work.ts';
import { runFirstStart } from './jobs/first-start.ts';
import { showMemory } from './jobs/memory-metrics.ts';
import { showDatabaseState, showRelayState, timePostings } from './jobs/metrics/state-metrics.ts';
import { observeRelay } from './jobs/observe-relay.ts';
import { startReconciler } from './jobs/reconcile.ts';
import { startArchiveMonths } from './jobs/archive-months.ts';
import { startCloseMonths } from './jobs/close-months.ts';
import { openTelemetry } from './jobs/telemetry/telemetry.ts';
import { startSumLogDays } from './jobs/sum-log-days.ts';
import { createAddressGuard } from './relay/upstream/address-guard.ts';
import { createMemoryBudget } from './relay/memory/memory-budget.ts';
import { memoryLimits, type SizeSettings, sizeLimits } from './relay/memory/memory-limits.ts';
import { createRelay } from './relay/relay.ts';
import type { Changes } from './store/nodes/changes.ts';
import type { Database } from './store/database.ts';
import { loadOptions, type Options } from './store/options.ts';
import type { Secrets } from './store/credentials/secrets.ts';

export interface GatewayDeps {
  readonly config: Omit<
    Config,
    | 'port'
    | 'host'
    | 'dataDir'
    | 'databaseUrl'
    | 'secretKey'
    | 'previousSecretKey'
    | 'logLevel'
    | 'workers'
    | 'drainSeconds'
    | keyof SizeSettings
  >;
  /** Absent: the defaults. */
  readonly sizes?: SizeSettings;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly log: Logger;
  /** Reads the figures of all processes on this port, given those of this one; absent: it is the only one. */
  readonly showMetrics?: (own: Registry) => () => Promise<string>;
  /** The version of this program. */
  readonly build: string;
  /** Absent: the recommended one. */
  readonly passwordCost?: PasswordCost;
  /** See `AppDeps`. */
  readonly consoleDir?: string;
  readonly callsPerMinute?: number;
}

/** Everything above the database, ready to be listened with. */
export interface Gateway {
  listen(address: {
    readonly port: number;
    readonly host: string | undefined;
    /** Processes that listen on the port. */
    readonly workers: number;
  }): Promise<{ readonly port: number }>;
  /** Root's first password, where this start made one up. */
  readonly firstPassword: string | undefined;
  /** Refuses readiness from now on, and resolves after the time in which balancers find other nodes. */
  drain(ms: number): Promise<void>;
  /** Takes no more requests, waits for the running ones and ends what was started here. */
  close(): Promise<void>;
}

/** Tables of models are made from the price lists (`Prices.shown`): an option of them has only what the operator set. */
const defaults = { GroupRatio: builtInRatios.groupRatio, PartRatio: builtInRatios.partRatio };

/** Connections that may wait to be taken while the process is busy: beyond, the system drops them. Linux allows 4,096. */
const backlog = 4096;

/**
 * Where the system spreads connections over the processes that listen, a process that ends takes none along that was
 * handed to it and not taken. Elsewhere the primary hands them out.
 */
const sharedPort = process.platform === 'linux' ? { exclusive: true, reusePort: true } : {};

/** Creates root if there are no users; returns the password if this start generated it. */
const prepareRoot = ({ db, secrets, clock, config }: GatewayDeps, { hash }: Passwords) =>
  runFirstStart({
    db,
    secrets,
    clock,
    hashPassword: hash,
    password: config.initialRootPassword,
    token: config.initialRootToken,
    accessToken: config.initialRootAccessToken,
  });

/** The account and the limits of what relayed calls hold. */
const sizedBy = (sizes: SizeSettings | undefined, metrics: Registry) => {
  const memory = createMemoryBudget(memoryLimits(sizes));
  showMemory(metrics, memory);
  return { memory, limits: sizeLimits(sizes) };
};

const successRuleOf = ({ watchesSuccess, successCalls: calls, successLeast: least }: GatewayDeps['config']) =>
  watchesSuccess ? { calls, least } : undefined;

const telemetryOf = ({ config, build, clock, log }: GatewayDeps) => ({
  url: config.telemetryUrl,
  format: config.telemetryFormat,
  tracedShare: config.tracedShare,
  serviceName: config.serviceName,
  serviceVersion: build,
  nodeName: config.nodeName,
  clock,
  log,
});

type FollowerDeps = GatewayDeps & Omit<Parameters<typeof observeRelay>[0], 'successRule' | 'telemetry'>;

/** What watches the calls: health, metrics, notices and, where a collector is named, telemetry. */
const startFollower = async (deps: FollowerDeps) => {
  const telemetry = await openTelemetry(telemetryOf(deps));
  const follower = observeRelay({ ...deps, successRule: successRuleOf(deps.config), telemetry: telemetry.observer });
  const close = async (): Promise<void> => {
    await follower.close();
    await telemetry.close();
  };
  return { ...follower, close };
};

const readerOf = ({ showMetrics }: GatewayDeps, own: Registry): (() => Promise<string>) =>
  showMetrics?.(own) ?? (() => own.metrics());

/** The database, its waits shown in the metrics. */
const watched = (db: Database, metrics: Registry): Database => {
  showDatabaseState(metrics, db);
  return timePostings(db, metrics);
};

/** Work on the database that no request waits for; returns what ends it. */
const startMaintenance = (
  deps: Pick<GatewayDeps, 'config' | 'log'> &
    Parameters<typeof startCleanUp>[0] & { readonly options: Options; readonly logClearing: LogClearing },
): (() => Promise<void>) => {
  const { archiveDir: parent, archiveAfterMonths: keptMonths } = deps.config;
  const endRetention = startLogRetention({
    ...deps,
    keptDays: () => deps.options.get('LogRetentionDays'),
    archives: parent !== undefined,
  });
  const endCleanUp = startCleanUp(deps);
  const endSums = startSumLogDays(deps);
  const endMonths = startCloseMonths(deps);
  const endArchives = parent === undefined ? undefined : startArchiveMonths({ ...deps, parent, keptMonths });
  return async () => {
    await endRetention();
    await endCleanUp();
    await endArchives?.();
    await endMonths();
    await endSums();
  };
};

/** Ways out of this process. What the operator names may be private, as channels may; metadata services never. */
const createServices = ({ config, db }: Pick<GatewayDeps, 'config' | 'db'>, options: Options) => {
  const guard = createAddressGuard(config.privateUpstreams);
  return {
    outbound: createOutbound({ guard }),
    certificates: createCertificates({ db, options, read: createReadCertificate({ guard }) }),
    mail: createMail({ options }),
  };
};

/** Starts everything above the database. What was started is ended again when a later part fails. */
export const startGateway = async (given: GatewayDeps): Promise<Gateway> => {
  const metrics = createMetrics(given.build);
  const deps = { ...given, db: watched(given.db, metrics) };
  const { changes, clock, config, db, log, secrets } = deps;
  await using started = new AsyncDisposableStack();
  const onError = (error: unknown) => log.error({ err: error }, 'background job failed');

  const passwords = createPasswords(deps.passwordCost);
  const firstPassword = await prepareRoot(deps, passwords);
  // The first start sets options.
  const options = await loadOptions({ db, secrets, changes, defaults });
  started.defer(options.close);
  const logClearing = createLogClearing({ db, onError });
  started.defer(startMaintenance({ ...deps, options, logClearing, onError }));
  // Closed before the maintenance, which may wait for it.
  started.defer(logClearing.close);
  const accounts = createAccounts({ db, changes, onError });
  started.defer(accounts.close);
  db.onReconnect(accounts.invalidate);
  const { leftHolds } = accounts;
  const reconciler = startReconciler({ db, changes, clock, metrics, log, leftHolds, onError });
  started.defer(reconciler.close);
  const services = createServices(deps, options);
  const { outbound, mail } = services;
  started.defer(startExpiryReminders({ db, options, mail, clock, log, onError }));
  started.defer(startShipLogs({ ...deps, outbound, metrics, sinkUrl: config.logSinkUrl, onError }));
  const follower = await startFollower({ ...deps, ...services, options, metrics, onError });
  started.defer(follower.close);
  const { observer, flushAttempts } = follower;
  const alerting = startAlerting({ ...deps, ...services, options, reconciler, flushAttempts, onError });
  started.defer(alerting.close);
  const sized = sizedBy(deps.sizes, metrics);
  const relay = await createRelay({ ...deps, ...sized, options, accounts, observer, testPrompt: config.testPrompt });
  showRelayState(metrics, relay);
  let relayClosing: Promise<void> | undefined;
  const closeRelay = () => (relayClosing ??= relay.close());
  started.defer(closeRelay);
  const work = startChannelWork({ db, secrets, options, clock, outbound, relay, follower, config, onError });
  started.defer(work.close);
  const channelWork = { ...work, flushAttempts };
  const background = createBackground({ onError });
  started.defer(background.close);
  const served = { options, passwords, relay, outbound, mail, metrics, readMetrics: readerOf(given, metrics) };
  const { isDraining, drain } = createDraining();
  const reporter = await startNodeReporter({ ...deps, metrics, isDraining, onError });
  started.defer(reporter.close);
  const parts = { ...served, background, logClearing, channelWork, reconciler, reporter, sendAlert: alerting.send };
  const app = await buildApp({ ...deps, ...parts, isDraining });
  // Both planes stop taking requests at once; each then waits for its own.
  started.defer(async () => void (await Promise.all([work.close(), closeRelay(), app.close()])));

  const ending = started.move();
  return {
    listen: async ({ port, host, workers }) => {
      const sharing = workers > 1 ? sharedPort : {};
      await listenAt(host, (at) => app.listen({ port, host: at, backlog, ...sharing }));
      const address = app.server.address();
      return { port: address === null || typeof address === 'string' ? port : address.port };
    },
    firstPassword,
    drain: (ms) => drain(ms, () => void app.server.close()),
    close: () => ending.disposeAsync(),
  };
};
