import { redemptionStatus } from '@weir/contract/redemptions';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { HoldsTable } from '../../schema.ts';
import {
  needsOf,
  redeemKey,
  type AccountsState,
  type Code,
  type DoneEntry,
  type Needs,
  type NodeIdentity,
  type PeriodAccount,
  type RowChanges,
  type TokenAccount,
  type UserAccount,
} from '../../ledger/accounts-state.ts';
import { applyToAccounts, refusesCharge } from '../../ledger/apply-to-accounts.ts';
import { pairCharges } from './charge-rows.ts';
import type { PostgresStatement } from './postgres-statements.ts';

/** Runs statements inside one transaction, in the order of the calls; several may be called at once. */
export interface PostgresRunner {
  /** One of the prepared statements with its one parameter. */
  rows<Row extends object>(statement: PostgresStatement, parameter: unknown): Promise<readonly Row[]>;
  /** The number of rows that the statement changed. */
  write(statement: PostgresStatement, parameter: unknown): Promise<number>;
  control(text: 'savepoint postings' | 'rollback to postings' | 'release postings'): Promise<void>;
}

const byKey = <Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]));

type DoneRow = DoneEntry & { readonly op_key: string };

const loadDone = async ({ rows }: PostgresRunner, keys: readonly string[]) =>
  byKey(keys.length === 0 ? [] : await rows<DoneRow>('done', keys), (row) => row.op_key);

/** Locks the rows that the postings need: all of them, or those that are not locked elsewhere. */
const statementsOf = {
  all: { users: 'users', tokens: 'tokens', holds: 'holds', codes: 'codes', channels: 'channels', periods: 'periods' },
  free: {
    users: 'freeUsers',
    tokens: 'freeTokens',
    holds: 'freeHolds',
    codes: 'freeCodes',
    channels: 'freeChannels',
    periods: 'freePeriods',
  },
} as const;

const readerOf =
  (runner: PostgresRunner) =>
  async <Row extends object>(statement: PostgresStatement, keys: Iterable<unknown>): Promise<readonly Row[]> => {
    const wanted = [...keys];
    return wanted.length === 0 ? [] : runner.rows<Row>(statement, wanted);
  };

const load = async (runner: PostgresRunner, needs: Needs, which: keyof typeof statementsOf) => {
  const read = readerOf(runner);
  const statements = statementsOf[which];
  // To delete a row at once takes less than to lock it first. Where postings may be left out, their holds must stay.
  const taken = which === 'all' ? needs.endedHolds : new Set<string>();
  // Sent at once; the server locks in this order.
  const [users, tokens, ended, holds, codes, channels, periods, sums, done] = await Promise.all([
    read<UserAccount>(statements.users, needs.users),
    read<TokenAccount>(statements.tokens, needs.tokens),
    read<HoldsTable>('takeHolds', taken),
    read<HoldsTable>(
      statements.holds,
      needs.holds.filter((requestId) => !taken.has(requestId)),
    ),
    read<Code>(statements.codes, needs.codes),
    read<{ readonly id: number }>(statements.channels, needs.channels),
    read<PeriodAccount>(statements.periods, needs.periods),
    read<{ readonly id: number; readonly amount: number }>('allocated', needs.allocations),
    loadDone(runner, needs.heldKeys),
  ]);
  return {
    users: byKey(users, (row) => row.id),
    tokens: byKey(tokens, (row) => row.id),
    holds: byKey([...ended, ...holds], (row) => row.request_id),
    taken,
    codes: byKey(codes, (row) => row.key_digest),
    channels: byKey(channels, (row) => row.id),
    periods: byKey(periods, (row) => row.id),
    allocated: new Map(sums.map((row) => [row.id, row.amount])),
    done,
  };
};
type Loaded = Awaited<ReturnType<typeof load>>;

/** Of the rows that were loaded where they were free: a test whether a posting needs one that is locked elsewhere. */
const findLocked = async (runner: PostgresRunner, needs: Needs, loaded: Loaded) => {
  const read = readerOf(runner);
  const lockedOf = async <Key>(
    statement: PostgresStatement,
    keys: Iterable<Key>,
    free: ReadonlyMap<Key, unknown>,
  ): Promise<ReadonlySet<Key>> => {
    const rows = await read<{ readonly key: Key }>(
      statement,
      [...keys].filter((key) => !free.has(key)),
    );
    return new Set(rows.map(({ key }) => key));
  };
  const [users, tokens, holds, codes, channels, periods] = await Promise.all([
    lockedOf('presentUsers', needs.users, loaded.users),
    lockedOf('presentTokens', needs.tokens, loaded.tokens),
    lockedOf('presentHolds', needs.holds, loaded.holds),
    lockedOf('presentCodes', needs.codes, loaded.codes),
    lockedOf('presentChannels', needs.channels, loaded.channels),
    lockedOf('presentPeriods', needs.periods, loaded.periods),
  ]);
  const touches = <Key>(keys: Iterable<Key>, locked: ReadonlySet<Key>) => [...keys].some((key) => locked.has(key));
  return (posting: Posting): boolean => {
    const needed = needsOf([posting]);
    return (
      touches(needed.users, users) ||
      touches(needed.tokens, tokens) ||
      touches(needed.holds, holds) ||
      touches(needed.codes, codes) ||
      touches(needed.channels, channels) ||
      touches(needed.periods, periods)
    );
  };
};

/** PostgreSQL takes no zero byte in text, and a client may send one in a model name. */
const toJson = (rows: readonly object[]): string => {
  const text = JSON.stringify(rows);
  if (!text.includes('\\u0000')) return text;
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value));
};

const hourOrder = (row: RowChanges['hours'][number]): string =>
  [row.hour, row.user_id, row.channel_id, row.token_id, row.token_name, row.model_name].join('\n');

const redeemedRow = ({ id, userId, at }: RowChanges['redeemed'][number]) => ({
  id,
  status: redemptionStatus.used,
  redeemed_time: at,
  redeemed_user_id: userId,
});

/**
 * False where an operation is in the ledger already and was not looked up before: then nothing may stay of the batch.
 */
const save = async (
  runner: PostgresRunner,
  changes: RowChanges,
  { taken }: Pick<Loaded, 'taken'>,
): Promise<boolean> => {
  const put = async (statement: PostgresStatement, rows: readonly object[]): Promise<number> =>
    rows.length === 0 ? 0 : runner.write(statement, toJson(rows));
  const { charges, ledger, logs } = pairCharges(changes);
  const { hours } = changes;
  const endedHolds = changes.endedHolds.filter((requestId) => !taken.has(requestId));
  const [, written, [{ entered } = { entered: 0 }]] = await Promise.all([
    runner.control('savepoint postings'),
    // First: what a charge adds to the allocation of its key comes before the charge.
    put('insertLedger', ledger),
    charges.length === 0 ? [] : runner.rows<{ readonly entered: number }>('enterCharges', toJson(charges)),
    put('insertLogs', logs),
    put(
      'addHours',
      hours.toSorted((one, other) => (hourOrder(one) < hourOrder(other) ? -1 : 1)),
    ),
    put('putHolds', changes.holds),
    endedHolds.length === 0 ? 0 : runner.write('endHolds', endedHolds),
    put('setUsers', changes.users),
    put('setTokens', changes.tokens),
    put('setPeriods', changes.periods),
    put(
      'addToChannels',
      Array.from(changes.channels, ([id, used]) => ({ id, used })),
    ),
    put('redeem', changes.redeemed.map(redeemedRow)),
  ]);
  const complete = entered + written === changes.ledger.length;
  await runner.control(complete ? 'release postings' : 'rollback to postings');
  return complete;
};

const apply = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  rows: Loaded & NodeIdentity,
): Promise<readonly PostingResult[]> => {
  const attempt = async (state: AccountsState, isLookedUp: boolean) => {
    const { results, changes } = applyToAccounts(state, postings);
    if (!isLookedUp && refusesCharge(postings, results)) return undefined;
    return (await save(runner, changes, rows)) ? results : undefined;
  };
  // Operations are rarely repeated: the ledger's unique key finds a repeat, and only then the ledger is read.
  let results = await attempt(rows, false);
  if (results === undefined) {
    const needs = needsOf(postings);
    const redemptions = Array.from(rows.codes.values(), (code) => redeemKey(code.id));
    const done = await loadDone(runner, [...needs.heldKeys, ...needs.opKeys, ...redemptions]);
    results = await attempt({ ...rows, done }, true);
  }
  if (results === undefined) throw new Error('Operations were repeated while they ran');
  return results;
};

/** Applies postings inside the open transaction; throws where nothing of them may stay. */
export const postToPostgres = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  identity: NodeIdentity,
): Promise<readonly PostingResult[]> =>
  apply(runner, postings, { ...(await load(runner, needsOf(postings), 'all')), ...identity });

/** The same without the postings that need a row which is locked elsewhere: their result is undefined. */
export const postUnlocked = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  identity: NodeIdentity,
): Promise<readonly (PostingResult | undefined)[]> => {
  const needs = needsOf(postings);
  const loaded = await load(runner, needs, 'free');
  const isLocked = await findLocked(runner, needs, loaded);
  const free = postings.filter((posting) => !isLocked(posting));
  const results = await apply(runner, free, { ...loaded, ...identity });
  const resultOf = new Map(free.map((posting, index) => [posting, results[index]]));
  return postings.map((posting) => resultOf.get(posting));
};
