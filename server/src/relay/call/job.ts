import type { Accounts } from '../../billing/accounts.ts';
import type { PriceTable } from '../../billing/price/ratio-tables.ts';
import type { TokenCounter } from '../../billing/counting/token-counter.ts';
import type { Dialect, Inbound } from '../../dialects/dialect.ts';
import type { Database } from '../../store/database.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { BodyRest } from '../upstream/body-rest.ts';
import type { Random } from '../routing/choose-channel.ts';
import type { Client } from '../client/client.ts';
import type { AttemptNote } from './consume-log.ts';
import type { KeptItems } from './kept-items.ts';
import type { RelayLimits } from '../limits.ts';
import type { NotePace } from './note-pace.ts';
import type { Rests } from '../routing/rests.ts';
import type { RoutingTable } from '../routing/routing-table.ts';
import type { RelaySettings } from '../settings.ts';
import type { Supplies } from '../upstream/supplies.ts';
import type { Access } from '../client/token-check.ts';
import type { Translations } from './translations.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { RelayWatch } from './watch.ts';

/** The part of the process's logger that the relay uses. */
export interface RelayLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** What relaying a call needs of the process. */
export interface RelayTools {
  readonly kind: Database['kind'];
  readonly limits: RelayLimits;
  readonly upstream: Upstream;
  readonly supplies: Supplies;
  readonly routes: RoutingTable;
  readonly rests: Rests;
  readonly affinity: Affinity;
  readonly translations: Translations;
  readonly kept: KeptItems;
  readonly accounts: Accounts;
  readonly tokens: TokenCounter;
  readonly pace: NotePace;
  settings(): RelaySettings;
  /** What a channel test says to the model. */
  readonly testPrompt: string;
  readonly clock: { now(): number };
  readonly random: Random;
  readonly log: RelayLog;
  readonly watch: RelayWatch;
}

/** One call from its check to its settlement. */
export interface Job {
  readonly requestId: string;
  readonly access: Access;
  readonly dialect: Dialect;
  readonly inbound: Inbound;
  readonly client: Client;
  /** What follows the body as it comes; null: it is here whole. */
  readonly rest: BodyRest | null;
  /** The client's; empty where it sent none. */
  readonly contentType: string;
  readonly accept: string;
  /** Those that the dialect lets through. */
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly query: string;
  /** The prices of the moment the call came: a change meanwhile does not touch it. */
  readonly prices: PriceTable;
  readonly startedMs: number;
  readonly attempts: AttemptNote[];
  /** The caller is told its route, and may be. */
  readonly explains: boolean;
  /** Prompt tokens, counted once, when somebody needs them. */
  countPrompt(): Promise<number>;
}
