import type { Selectable } from 'kysely';
import type { NewLog } from '../logs/log-columns.ts';
import { periodsNamed } from './period-names.ts';
import type { Balance, Posting } from './postings.ts';
import type { HoldsTable, LedgerTable, LogHoursTable } from '../schema.ts';

export interface UserAccount extends Balance {
  readonly id: number;
  readonly request_count: number;
}

export interface TokenAccount extends Balance {
  readonly id: number;
  readonly user_id: number;
  readonly status: number;
  readonly unlimited_quota: number;
  /** Unix seconds of the last charge. */
  readonly accessed_time: number;
  readonly last_address: string;
}

/** A period of a budget. What may still be spent is `granted - held - used`. */
export interface PeriodAccount {
  readonly id: number;
  readonly granted: number;
  readonly held: number;
  readonly used: number;
}

export interface Code {
  readonly id: number;
  readonly key_digest: string;
  readonly status: number;
  readonly quota: number;
  readonly deleted_time: number;
}

/** The amounts of an operation that was done before. */
export interface DoneEntry {
  readonly amount: number;
  readonly unrecovered: number;
  readonly reason: string;
}

export type NewEntry = Omit<Selectable<LedgerTable>, 'id'>;

/** The process that holds belong to. */
export interface NodeIdentity {
  readonly node: string;
  /** Rises at every start of the node. */
  readonly epoch: number;
}

/** The rows that a batch of postings concerns, as the database holds them. */
export interface AccountsState extends NodeIdentity {
  readonly users: ReadonlyMap<number, UserAccount>;
  readonly tokens: ReadonlyMap<number, TokenAccount>;
  readonly holds: ReadonlyMap<string, HoldsTable>;
  readonly codes: ReadonlyMap<string, Code>;
  readonly periods: ReadonlyMap<number, PeriodAccount>;
  /** Sum of all allocations of a token, for the tokens that are allocated anew. */
  readonly allocated: ReadonlyMap<number, number>;
  /** Operations that the ledger already knows, by operation key. */
  readonly done: ReadonlyMap<string, DoneEntry>;
}

/** The changes of a batch, to be written. Account rows have their final values. */
export interface RowChanges {
  readonly users: readonly UserAccount[];
  readonly tokens: readonly TokenAccount[];
  /** Quota units to add to what channels have used. */
  readonly channels: ReadonlyMap<number, number>;
  readonly holds: readonly HoldsTable[];
  readonly endedHolds: readonly string[];
  readonly periods: readonly PeriodAccount[];
  readonly redeemed: readonly { readonly id: number; readonly userId: number; readonly at: number }[];
  readonly ledger: readonly NewEntry[];
  readonly logs: readonly NewLog[];
  readonly hours: readonly Selectable<LogHoursTable>[];
}

/** Which rows a batch has to load. */
export interface Needs {
  readonly users: ReadonlySet<number>;
  readonly tokens: ReadonlySet<number>;
  readonly periods: ReadonlySet<number>;
  readonly holds: readonly string[];
  /** Those of them that the postings end. */
  readonly endedHolds: ReadonlySet<string>;
  readonly codes: readonly string[];
  readonly allocations: readonly number[];
  /** Keys of requests to hold for: a hold writes nothing that would collide with an earlier charge. */
  readonly heldKeys: readonly string[];
  /** Keys that the batch writes: taken ones show when it does. */
  readonly opKeys: readonly string[];
}

/** The operation key of a request's charge. */
export const useKey = (requestId: string): string => `use:${requestId}`;

/** Reason of a charge at the last checkpoint, for a hold that was taken for abandoned. */
export const recovered = 'recovered';

/** The operation key of what a request is charged beyond its checkpoint, where its hold was taken for abandoned. */
export const restKey = (requestId: string): string => `${useKey(requestId)}:rest`;

/** The operation key of what a charge adds to the allocation of its key. */
export const overdraftKey = (useEntryKey: string): string => `allocate:${useEntryKey}`;

/** The operation key of a code's redemption. */
export const redeemKey = (codeId: number): string => `redeem:${codeId}`;

export const needsOf = (postings: readonly Posting[]): Needs => {
  const users = new Set<number>();
  const tokens = new Set<number>();
  const periods = new Set<number>();
  const holds: string[] = [];
  const endedHolds = new Set<string>();
  const codes: string[] = [];
  const allocations: number[] = [];
  const heldKeys: string[] = [];
  const opKeys: string[] = [];
  for (const posting of postings) {
    if ('budgets' in posting) for (const { id } of periodsNamed(posting.budgets)) periods.add(id);
    if (posting.kind === 'progress') {
      holds.push(posting.requestId);
      continue;
    }
    if (posting.kind === 'look') {
      if (posting.userId !== 0) users.add(posting.userId);
      if (posting.tokenId !== 0) tokens.add(posting.tokenId);
      continue;
    }
    users.add(posting.userId);
    if (posting.kind === 'redeem') codes.push(posting.keyDigest);
    else if (posting.kind === 'credit') opKeys.push(posting.opKey);
    else if (posting.kind === 'allocate') {
      opKeys.push(posting.opKey);
      tokens.add(posting.tokenId);
      allocations.push(posting.tokenId);
    } else {
      if (posting.tokenId !== 0) tokens.add(posting.tokenId);
      if (posting.kind !== 'settle' || posting.unheld !== true) holds.push(posting.requestId);
      if (posting.kind === 'release' || (posting.kind === 'settle' && posting.unheld !== true))
        endedHolds.add(posting.requestId);
      if (posting.kind === 'hold') heldKeys.push(useKey(posting.requestId));
      if (posting.kind === 'settle') opKeys.push(useKey(posting.requestId), restKey(posting.requestId));
    }
  }
  return { users, tokens, periods, holds, endedHolds, codes, allocations, heldKeys, opKeys };
};
