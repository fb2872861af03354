import type { Budgets } from '../../billing/budgets/budgets.ts';
import type { Accounts } from '../../billing/accounts.ts';
import type { TokenCounter } from '../../billing/counting/token-counter.ts';
import type { FactsReader } from '../../billing/price/book/model-facts.ts';
import type { MonthlyVolumes } from '../../billing/price/times/monthly-volumes.ts';
import type { Database } from '../../store/database.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { Random } from '../routing/choose-channel.ts';
import type { ResponseItemCache } from './response-item-cache.ts';
import type { RelayLimits } from '../limits.ts';
import type { RateLimits } from '../rates/rate-limits.ts';
import type { Runs } from '../runs/runs.ts';
import type { MemoryBudget } from '../memory/memory-budget.ts';
import type { CheckpointInterval } from './checkpoint-interval.ts';
import type { CircuitBreaker } from '../routing/circuit-breaker.ts';
import type { RoutingTable } from '../routing/routing-table.ts';
import type { UpstreamStates } from '../state/upstream-states.ts';
import type { RelaySettings } from '../settings.ts';
import type { PrerequisiteLoader } from '../upstream/prerequisite-loader.ts';
import type { Translations } from './translations.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { RelayObserver } from './relay-observer.ts';

/** The part of the process's logger that the relay uses. */
export interface RelayLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** The services that relayed calls share. */
export interface RelayContext {
  readonly kind: Database['kind'];
  readonly limits: RelayLimits;
  readonly memory: MemoryBudget;
  readonly upstream: Upstream;
  readonly prerequisites: PrerequisiteLoader;
  readonly routes: RoutingTable;
  readonly breaker: CircuitBreaker;
  readonly affinity: Affinity;
  readonly translations: Translations;
  readonly responseItems: ResponseItemCache;
  readonly upstreamStates: UpstreamStates;
  /** Users with a running call that names what is not known. */
  readonly unknownStateUsers: Set<number>;
  readonly accounts: Accounts;
  readonly budgets: Pick<Budgets, 'payerOf' | 'findPeriod'>;
  readonly rateLimits: Pick<RateLimits, 'of' | 'ready' | 'queue'>;
  readonly runs: Pick<Runs, 'enter'>;
  readonly volumes: MonthlyVolumes;
  readonly tokens: TokenCounter;
  /** What is known of models. */
  readonly models: Pick<FactsReader, 'outputMax'>;
  readonly checkpointInterval: CheckpointInterval;
  settings(): RelaySettings;
  /** The prompt of a channel test. */
  readonly testPrompt: string;
  readonly clock: { now(): number };
  readonly random: Random;
  readonly log: RelayLog;
  readonly observer: RelayObserver;
}
