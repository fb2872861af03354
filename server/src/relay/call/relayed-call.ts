import type { PriceTable } from '../../billing/price/ratio-tables.ts';
import type { Dialect, Inbound } from '../../dialects/dialect.ts';
import type { BodyRest } from '../upstream/body-rest.ts';
import type { Client } from '../client/client.ts';
import type { AttemptNote } from './consume-log.ts';
import type { Access } from '../client/token-check.ts';

/** One call from its check to its settlement. */
export interface RelayedCall {
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
