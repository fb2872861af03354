import type { PriceTable } from '../../billing/price/price-table.ts';
import type { Payer } from '../../billing/stored-hold.ts';
import type { Json } from '../../conversation/json.ts';
import type { Dialect, Inbound } from '../../dialects/dialect.ts';
import type { AttemptNote, ClientRequest } from '../client/client-request.ts';
import type { Access } from '../client/token-check.ts';
import type { RunOfCall } from '../runs/runs.ts';
import type { CallLimits } from '../rates/call-limits.ts';
import type { BodyRest } from '../upstream/upstream-call.ts';
import type { AttemptMemory } from '../upstream/attempt-memory.ts';
import type { GivenIds } from '../state/given-state.ts';
import type { NamedState } from '../state/named-state.ts';
import type { RelayContext } from './relay-context.ts';

/** One request of a client for a model, from its admission to its settlement. Built once. */
export interface RelayedCall extends ClientRequest {
  readonly context: RelayContext;
  readonly dialect: Dialect;
  readonly access: Access;
  /** That of the access; from its admission on with the budgets that the call counts against. */
  payer: Payer;
  /** The run that the call belongs to, from its admission on; null: none. */
  run: RunOfCall | null;
  readonly inbound: Inbound;
  /** The part of the body that is still to arrive; null: the body is complete. */
  readonly rest: BodyRest | null;
  /** The client's; empty where it sent none. */
  readonly contentType: string;
  readonly accept: string;
  /** Headers that the dialect forwards. */
  readonly headers: Readonly<Record<string, string>>;
  readonly memory: AttemptMemory;
  /** Null: there are no rules of rate limits. */
  readonly rates: CallLimits | null;
  /** The prices at the time of the request: a later change does not affect it. */
  readonly prices: PriceTable;
  readonly attempts: AttemptNote[];
  /** The client requested an explanation of its route, and may see it. */
  readonly explains: boolean;
  /** What the request names of what upstreams keep. */
  readonly namedState: NamedState;
  readonly givenIds: GivenIds;
  /** Rejects when the key may not be used for this call any longer. */
  checkAccess(): Promise<void>;
  /** Keeps a part of the answer that the client may refer to by its id. */
  keepItem(id: string, value: Json): void;
  /** Prompt tokens, counted at the first use. */
  countPrompt(): Promise<number>;
}
