import type { logType } from '@weir/contract/logs';
import type { Selectable } from 'kysely';
import type { NewLog } from '../logs/log-columns.ts';
import { periodsNamed } from './period-names.ts';
import type { Balance, PostingResult } from './postings.ts';
import type { HoldsTable, LogHoursTable } from '../schema.ts';
import {
  recovered,
  type AccountsState,
  type NewEntry,
  type PeriodAccount,
  type RowChanges,
  type TokenAccount,
} from './accounts-state.ts';

const secondsPerHour = 3600;
/** The contract's value. Its type alone is imported: the writer thread starts without the contract's schemas. */
const logTypeConsume: typeof logType.consume = 2;

export type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** A row that is copied at its first use, so that the state stays as it was loaded. */
const copyOnUse = <Key, Row extends object>(rows: ReadonlyMap<Key, Row>) => {
  const copies = new Map<Key, Mutable<Row>>();
  const get = (key: Key): Mutable<Row> | undefined => {
    const copy = copies.get(key);
    if (copy !== undefined) return copy;
    const row = rows.get(key);
    if (row === undefined) return undefined;
    const made: Mutable<Row> = { ...row };
    copies.set(key, made);
    return made;
  };
  return { get, used: copies };
};

export const emptyEntry = {
  token_id: 0,
  channel_id: 0,
  unrecovered: 0,
  request_id: '',
  price_version: 0,
  estimated: 0,
  actor_id: 0,
  reason: '',
  budgets: '',
} as const;

export const createWork = (state: AccountsState) => ({
  users: copyOnUse(state.users),
  tokens: copyOnUse(state.tokens),
  channels: new Map<number, number>(),
  holds: new Map<string, HoldsTable | undefined>(),
  codes: copyOnUse(state.codes),
  periods: copyOnUse(state.periods),
  redeemed: new Array<{ readonly id: number; readonly userId: number; readonly at: number }>(),
  ledger: new Array<NewEntry>(),
  written: new Map<string, NewEntry>(),
  logs: new Array<NewLog>(),
  hours: new Map<string, Mutable<Selectable<LogHoursTable>>>(),
  allocated: new Map(state.allocated),
});
type Work = ReturnType<typeof createWork>;

export interface Context {
  readonly state: AccountsState;
  readonly work: Work;
}

export type Outcome = Pick<PostingResult, 'outcome' | 'charged' | 'unrecovered'>;
export const done: Outcome = { outcome: 'done', charged: 0, unrecovered: 0 };
export const refused: Outcome = { outcome: 'refused', charged: 0, unrecovered: 0 };
export const repeated: Outcome = { outcome: 'repeated', charged: 0, unrecovered: 0 };

export const findHold = ({ state, work }: Context, requestId: string): HoldsTable | undefined =>
  work.holds.has(requestId) ? work.holds.get(requestId) : state.holds.get(requestId);

export const findDone = ({ state, work }: Context, opKey: string): Outcome | undefined => {
  const entry = work.written.get(opKey) ?? state.done.get(opKey);
  return entry === undefined
    ? undefined
    : { outcome: 'repeated', charged: entry.amount, unrecovered: entry.unrecovered };
};

/** Whether an operation that was done is the charge of a hold that was taken for abandoned. */
export const isRecovered = ({ state, work }: Context, opKey: string): boolean =>
  (work.written.get(opKey) ?? state.done.get(opKey))?.reason === recovered;

export const write = ({ work }: Context, entry: NewEntry) => {
  work.ledger.push(entry);
  work.written.set(entry.op_key, entry);
};

const addHour = (work: Work, log: NewLog) => {
  if (log.type !== logTypeConsume) return;
  const hour = Math.floor(log.created_at / secondsPerHour);
  const { user_id, token_id, token_name, model_name, channel_id } = log;
  const known = log.cost < 0 ? { cost: 0, costed: 0 } : { cost: log.cost, costed: log.quota };
  const key = `${hour} ${user_id} ${channel_id} ${token_id} ${token_name}\n${model_name}`;
  const row = work.hours.get(key);
  if (row === undefined) {
    const { quota, prompt_tokens, completion_tokens } = log;
    const counted = { requests: 1, quota, prompt_tokens, completion_tokens, ...known };
    work.hours.set(key, { hour, user_id, token_id, token_name, model_name, channel_id, ...counted });
    return;
  }
  row.requests += 1;
  row.quota += log.quota;
  row.prompt_tokens += log.prompt_tokens;
  row.completion_tokens += log.completion_tokens;
  row.cost += known.cost;
  row.costed += known.costed;
};

export const addLog = ({ work }: Context, log: NewLog) => {
  work.logs.push(log);
  addHour(work, log);
};

/** Quota units that a period of a budget has left, without its open holds. */
export const availableIn = ({ granted, held, used }: PeriodAccount): number => granted - held - used;

/** Quota that is set aside. */
export interface Aside {
  readonly user: Mutable<Balance> | undefined;
  /** Only where the token is limited. */
  readonly token: Mutable<Balance> | undefined;
  readonly budgets: string | undefined;
  readonly amount: number;
}

/** Moves what is available to what is held; a negative amount moves it back. */
export const moveAside = ({ work }: Context, { user, token, budgets, amount }: Aside) => {
  for (const account of [user, token]) {
    if (account === undefined) continue;
    account.available -= amount;
    account.held += amount;
  }
  for (const { id } of periodsNamed(budgets)) {
    const period = work.periods.get(id);
    if (period !== undefined) period.held += amount;
  }
};

/** Ends a hold: its amount is spendable again. */
export const endHold = (context: Context, hold: HoldsTable) => {
  const { users, tokens, holds } = context.work;
  const token = hold.token_limited === 1 ? tokens.get(hold.token_id) : undefined;
  moveAside(context, { user: users.get(hold.user_id), token, budgets: hold.budgets, amount: -hold.amount });
  holds.set(hold.request_id, undefined);
};

/** A call that costs nothing writes its token's row too, at most once a second from one address. */
const usedAnew = (row: TokenAccount, before: TokenAccount): boolean =>
  row.last_address !== before.last_address || row.accessed_time !== before.accessed_time;

/** The rows that differ from what was loaded. */
export const changesOf = ({ state, work }: Context): RowChanges => {
  const holds: HoldsTable[] = [];
  const endedHolds: string[] = [];
  for (const [requestId, row] of work.holds) {
    if (row !== undefined) holds.push(row);
    else if (state.holds.has(requestId)) endedHolds.push(requestId);
  }
  const moved = (row: Balance, before: Balance | undefined) =>
    row.available !== before?.available || row.held !== before.held || row.used !== before.used;
  return {
    users: [...work.users.used.values()].filter(
      (row) => moved(row, state.users.get(row.id)) || row.request_count !== state.users.get(row.id)?.request_count,
    ),
    tokens: [...work.tokens.used.values()].filter((row) => {
      const before = state.tokens.get(row.id);
      const kept = row.status === before?.status && row.unlimited_quota === before.unlimited_quota;
      return moved(row, before) || !kept || usedAnew(row, before);
    }),
    channels: work.channels,
    holds,
    endedHolds,
    periods: [...work.periods.used.values()].filter(({ id, held, used }) => {
      const before = state.periods.get(id);
      return held !== before?.held || used !== before.used;
    }),
    redeemed: work.redeemed,
    ledger: work.ledger,
    logs: work.logs,
    hours: [...work.hours.values()],
  };
};
