import { DatabaseError } from 'pg';
import { redemptionStatus } from '@weir/contract/redemptions';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { HoldsTable } from '../../schema.ts';
import {
  needsOf,
  redeemKey,
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
import { enteredRows, parametersOf } from './charge-rows.ts';
import type { PostgresStatement } from './statement-text.ts';
import { allParts, readerStatement, writerStatement, type Part, type Reader } from './postgres-statements.ts';

/** Runs statements inside one transaction, in the order of the calls; several may be called at once. */
export interface PostgresRunner {
  run<Row extends object>(statement: PostgresStatement, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

const byKey = <Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** Locks the rows that the postings need: all of them, or those that are not locked elsewhere. */
const readersOf = {
  all: { accounts: 'accounts', holds: 'holds', codes: 'codes', periods: 'periods' },
  free: { accounts: 'freeAccounts', holds: 'freeHolds', codes: 'freeCodes', periods: 'freePeriods' },
} as const;

const readerOf =
  (runner: PostgresRunner) =>
  async <Row extends object>(reader: Reader, keys: Iterable<unknown>): Promise<readonly Row[]> => {
    const wanted = [...keys];
    return wanted.length === 0 ? [] : runner.run<Row>(readerStatement(reader), [wanted]);
  };

/** A row of a user or a token; columns of the other kind are null. */
interface AccountRow extends UserAccount, TokenAccount {
  readonly kind: 'users' | 'tokens';
}

const readAccounts = async (
  runner: PostgresRunner,
  reader: (typeof readersOf)[keyof typeof readersOf]['accounts'],
  needs: Needs,
) => {
  const users = new Map<number, UserAccount>();
  const tokens = new Map<number, TokenAccount>();
  const keys = [needs.users, needs.tokens];
  if (keys.every(({ size }) => size === 0)) return { users, tokens };
  const parameters = keys.map((each) => [...each]);
  for (const row of await runner.run<AccountRow>(readerStatement(reader), parameters)) {
    const { kind, id, available, held, used } = row;
    if (kind === 'users') users.set(id, { id, available, held, used, request_count: row.request_count });
    else {
      const { user_id, status, unlimited_quota, accessed_time, last_address } = row;
      tokens.set(id, { id, user_id, available, held, used, status, unlimited_quota, accessed_time, last_address });
    }
  }
  return { users, tokens };
};

/**
 * Operations are rarely repeated: the ledger's unique key finds a repeat. `lookUp` reads beforehand which of the batch are
 * in the ledger already.
 */
const load = async (
  runner: PostgresRunner,
  needs: Needs,
  { which, lookUp }: { readonly which: keyof typeof readersOf; readonly lookUp: boolean },
) => {
  const read = readerOf(runner);
  const readers = readersOf[which];
  // To delete a row at once takes less than to lock it first. Where postings may be left out, their holds must stay.
  const taken = which === 'all' ? needs.endedHolds : new Set<string>();
  const readDone = (keys: readonly string[]) => read<DoneEntry & { readonly op_key: string }>('done', keys);
  // Sent at once; the server locks in this order.
  const [accounts, ended, holds, codes, periods, sums, done] = await Promise.all([
    readAccounts(runner, readers.accounts, needs),
    read<HoldsTable>('takeHolds', taken),
    read<HoldsTable>(
      readers.holds,
      needs.holds.filter((requestId) => !taken.has(requestId)),
    ),
    read<Code>(readers.codes, needs.codes),
    read<PeriodAccount>(readers.periods, needs.periods),
    read<{ readonly id: number; readonly amount: number }>('allocated', needs.allocations),
    readDone(lookUp ? [...needs.heldKeys, ...needs.opKeys] : needs.heldKeys),
  ]);
  const redeemed = lookUp ? await readDone(codes.map(({ id }) => redeemKey(id))) : [];
  return {
    ...accounts,
    holds: byKey([...ended, ...holds], (row) => row.request_id),
    taken,
    codes: byKey(codes, (row) => row.key_digest),
    periods: byKey(periods, (row) => row.id),
    allocated: new Map(sums.map((row) => [row.id, row.amount])),
    done: byKey([...done, ...redeemed], (row) => row.op_key),
  };
};
type Loaded = Awaited<ReturnType<typeof load>>;

/** Of the rows that were loaded where they were free: a test whether a posting needs one that is locked elsewhere. */
const findLocked = async (runner: PostgresRunner, needs: Needs, loaded: Loaded) => {
  const read = readerOf(runner);
  const lockedOf = async <Key>(
    reader: Reader,
    keys: Iterable<Key>,
    free: { has(key: Key): boolean },
  ): Promise<ReadonlySet<Key>> => {
    const rows = await read<{ readonly key: Key }>(
      reader,
      [...keys].filter((key) => !free.has(key)),
    );
    return new Set(rows.map(({ key }) => key));
  };
  const [users, tokens, holds, codes, periods] = await Promise.all([
    lockedOf('presentUsers', needs.users, loaded.users),
    lockedOf('presentTokens', needs.tokens, loaded.tokens),
    lockedOf('presentHolds', needs.holds, loaded.holds),
    lockedOf('presentCodes', needs.codes, loaded.codes),
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
      touches(needed.periods, periods)
    );
  };
};

const redeemedRow = ({ id, userId, at }: RowChanges['redeemed'][number]) => ({
  id,
  status: redemptionStatus.used,
  redeemed_time: at,
  redeemed_user_id: userId,
});

interface SaveOptions {
  readonly loaded: Pick<Loaded, 'taken' | 'tokens'>;
  readonly node: string;
}

const save = async (runner: PostgresRunner, changes: RowChanges, { loaded, node }: SaveOptions) => {
  const keepsState = ({ id, status, unlimited_quota }: TokenAccount): boolean => {
    const before = loaded.tokens.get(id);
    return status === before?.status && unlimited_quota === before.unlimited_quota;
  };
  const endedHolds = changes.endedHolds.filter((requestId) => !loaded.taken.has(requestId));
  const rows: Readonly<Record<Part, readonly object[]>> = {
    ...enteredRows(changes, node),
    holds: changes.holds,
    endedHolds: endedHolds.map((request_id) => ({ request_id })),
    users: changes.users,
    tokens: changes.tokens.filter(keepsState),
    tokensInNewState: changes.tokens.filter((token) => !keepsState(token)),
    periods: changes.periods,
    redeemed: changes.redeemed.map(redeemedRow),
  };
  const write = async (parts: readonly Part[]) => {
    const used = parts.filter((part) => rows[part].length > 0);
    if (used.length === 0) return;
    const parameters = used.flatMap((part) => parametersOf(part, rows[part]));
    await runner.run(writerStatement(used), parameters);
  };
  // What a charge adds to the allocation of its key comes before the charge; parts of one statement have no order.
  await Promise.all([write(['ledger']), write(allParts.filter((part) => part !== 'ledger'))]);
};

interface PostOptions {
  readonly identity: NodeIdentity;
  /** Whether operations that are in the ledger already are looked for beforehand. */
  readonly lookUp: boolean;
}

/** A posting may be the repeat of an operation: the batch has to be undone and done again with `lookUp`. */
class MayRepeatError extends Error {}

/** A row with this key is there already. */
export const uniqueViolation = '23505';

/** Whether a batch failed because one of its operations is, or may be, in the ledger already. */
export const mayRepeat = (error: unknown): boolean =>
  error instanceof MayRepeatError ||
  (error instanceof DatabaseError && error.code === uniqueViolation && error.constraint === 'ledger_op_key_index');

const apply = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  { loaded, identity, lookUp }: PostOptions & { readonly loaded: Loaded },
): Promise<readonly PostingResult[]> => {
  const { results, changes } = applyToAccounts({ ...loaded, ...identity }, postings);
  if (!lookUp && refusesCharge(postings, results)) throw new MayRepeatError();
  await save(runner, changes, { loaded, node: identity.node });
  return results;
};

/** Applies postings inside the open transaction. */
export const postToPostgres = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  options: PostOptions,
): Promise<readonly PostingResult[]> => {
  const loaded = await load(runner, needsOf(postings), { which: 'all', lookUp: options.lookUp });
  return apply(runner, postings, { loaded, ...options });
};

/** The same without the postings that need a row which is locked elsewhere: their result is undefined. */
export const postUnlocked = async (
  runner: PostgresRunner,
  postings: readonly Posting[],
  options: PostOptions,
): Promise<readonly (PostingResult | undefined)[]> => {
  const needs = needsOf(postings);
  const loaded = await load(runner, needs, { which: 'free', lookUp: options.lookUp });
  const isLocked = await findLocked(runner, needs, loaded);
  const free = postings.filter((posting) => !isLocked(posting));
  const results = await apply(runner, free, { loaded, ...options });
  const resultOf = new Map(free.map((posting, index) => [posting, results[index]]));
  return postings.map((posting) => resultOf.get(posting));
};
