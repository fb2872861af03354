import { createBudgets } from '../billing/budgets/budgets.ts';
import type { Accounts } from '../billing/accounts.ts';
import { createFactsReader } from '../billing/price/book/model-facts.ts';
import { type Prices, loadPrices } from '../billing/price/prices.ts';
import { createMonthlyVolumes } from '../billing/price/times/monthly-volumes.ts';
import { createTokenCounter } from '../billing/counting/token-counter.ts';
import { createClientAddress } from '../http/client-address.ts';
import { type AuditNotes, createAuditNotes } from '../store/audit-notes.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import type { Options } from '../store/options.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import { type PrivateUpstreams, createAddressGuard } from './upstream/address-guard.ts';
import { createAffinity } from './routing/affinity.ts';
import { type BillingDashboard, createBillingDashboard } from './client/billing-dashboard.ts';
import type { RelayLog, RelayContext } from './call/relay-context.ts';
import { createResponseItemCache } from './call/response-item-cache.ts';
import { type RelayLimits, contentLimits, relayLimits } from './limits.ts';
import { createMemoryBudget, type MemoryBudget } from './memory/memory-budget.ts';
import { memoryLimits } from './memory/memory-limits.ts';
import { createCheckpointInterval } from './call/checkpoint-interval.ts';
import { createCircuitBreaker } from './routing/circuit-breaker.ts';
import { type ChannelDescription, describedChannel } from './routing/described-channel.ts';
import { loadRateLimits } from './rates/rate-limits.ts';
import { Runs } from './runs/runs.ts';
import { loadRoutingTable } from './routing/routing-table.ts';
import { type Sessions, createSessions } from './realtime/sessions.ts';
import { watchSettings } from './settings.ts';
import { createUpstreamStates } from './state/upstream-states.ts';
import { createProxyChoice } from './forward-proxy.ts';
import { createModelLister, type ModelsListed } from './upstream/list-models.ts';
import { createPrerequisiteLoader } from './upstream/prerequisite-loader.ts';
import { type TokenCheck, createTokenCheck } from './client/token-check.ts';
import { createTranslations } from './call/translations.ts';
import { type BatchPerTick, createBatchPerTick } from './upstream/batch-per-tick.ts';
import { createUpstream } from './upstream/upstream.ts';
import { type RelayObserver, silentObserver } from './call/relay-observer.ts';

export interface RelayDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly options: Options;
  readonly accounts: Accounts;
  readonly clock: { now(): number };
  readonly log: RelayLog;
  readonly config: {
    readonly trustedProxies: readonly string[];
    readonly privateUpstreams: PrivateUpstreams;
    readonly httpsProxy?: string | undefined;
    readonly httpProxy?: string | undefined;
    readonly noProxy?: string | undefined;
  };
  readonly testPrompt: string;
  /** Absent: the defaults. */
  readonly limits?: Partial<RelayLimits>;
  /** Absent: one of the default size. */
  readonly memory?: MemoryBudget;
  /** Absent: nothing is reported. */
  readonly observer?: RelayObserver;
}

/** The parts of the relay. */
export interface RelayParts {
  readonly context: RelayContext;
  readonly tokenCheck: TokenCheck;
  readonly prices: Prices;
  readonly billing: BillingDashboard;
  readonly sessions: Sessions;
  /** For responses to clients. */
  readonly batchPerTick: BatchPerTick;
  readonly notes: AuditNotes;
  readonly listModels: (channel: ChannelDescription) => Promise<ModelsListed>;
  /** The client's own address, behind the trusted proxies. */
  readonly addressOf: ReturnType<typeof createClientAddress>;
}

const createUpstreams = (config: RelayDeps['config'], limits: RelayLimits) => {
  const proxyOf = createProxyChoice({ https: config.httpsProxy, http: config.httpProxy, none: config.noProxy });
  const upstream = createUpstream({ guard: createAddressGuard(config.privateUpstreams), limits, proxyOf });
  // Channels may have private addresses where the operator allows it; addresses in the content of clients never may.
  const bounds = { guard: createAddressGuard('deny'), limits: { ...limits, ...contentLimits } };
  return { upstream, content: createUpstream({ ...bounds, proxyOf, pinned: true }) };
};

/** Ends what calls wait for, and the rest once they are settled. */
type EndParts = (settled: () => Promise<void>) => Promise<void>;

/** Builds the parts of the relay. Rejects when the database cannot be read. */
export const assemble = async (deps: RelayDeps): Promise<RelayParts & { end: EndParts }> => {
  const { accounts, changes, clock, config, db, log, options, secrets } = deps;
  const limits = { ...relayLimits, ...deps.limits };
  const onError = (error: unknown) => log.error({ err: error }, 'relay database access failed');
  const routes = await loadRoutingTable({ db, secrets, changes, times: limits, onError });
  const addressOf = createClientAddress(config.trustedProxies);
  const tokenCheck = await createTokenCheck({ db, secrets, changes, accounts, clock, addressOf, onError });
  const notes = createAuditNotes({ db, onError });
  const prices = await loadPrices({ db, options, clock, onError });
  const budgets = createBudgets({ db, changes, clock, reservedIn: accounts.reservedIn });
  const settings = watchSettings(options);
  const rateLimits = await loadRateLimits({ db, changes, clock, settings: settings.current, onError });
  const runs = new Runs({ db, changes, clock, settings: settings.current, onError });
  const tokens = createTokenCounter({ approximate: () => options.get('ApproximateTokenEnabled') });
  const { upstream, content } = createUpstreams(config, limits);
  const lister = createModelLister({ upstream, limits, clock });
  return {
    context: {
      kind: db.kind,
      limits,
      memory: deps.memory ?? createMemoryBudget(memoryLimits()),
      upstream,
      prerequisites: createPrerequisiteLoader({ upstream, content, limits, clock }),
      routes,
      breaker: createCircuitBreaker({ clock }),
      affinity: createAffinity({ clock }),
      translations: createTranslations(),
      responseItems: createResponseItemCache({ clock, keptMs: limits.keptMs, roomMax: limits.keptMax }),
      upstreamStates: createUpstreamStates({ db, clock, onError }),
      unknownStateUsers: new Set(),
      accounts,
      budgets,
      rateLimits,
      runs,
      volumes: createMonthlyVolumes(db),
      tokens,
      models: createFactsReader(prices),
      checkpointInterval: createCheckpointInterval(),
      settings: settings.current,
      testPrompt: deps.testPrompt,
      clock,
      random: Math.random,
      log,
      observer: deps.observer ?? silentObserver,
    },
    tokenCheck,
    prices,
    billing: createBillingDashboard({ db, options }),
    sessions: createSessions(),
    batchPerTick: createBatchPerTick(),
    notes,
    listModels: (channel) => lister(describedChannel(channel)),
    addressOf,
    end: async (settled) => {
      await Promise.all([upstream.close(), content.close()]).then(settled);
      for (const part of [routes, tokenCheck, prices, budgets, rateLimits, settings]) part.close();
      for (const part of [tokens, notes, runs]) await part.close();
    },
  };
};
