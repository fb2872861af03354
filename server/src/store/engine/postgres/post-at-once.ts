import type { Client } from 'pg';
import { needsOf, type NodeIdentity, type RowChanges } from '../../ledger/accounts-state.ts';
import { changesBy, resultsOf } from '../../ledger/apply-to-accounts.ts';
import { done } from '../../ledger/posting-work.ts';
import type { Balance, Posting, PostingResult } from '../../ledger/postings.ts';
import { assumedAmount, assumeFor, type Assumption, type Required } from './assumed-accounts.ts';
import {
  atOnceParts,
  atOnceStatement,
  isLocked,
  lockStatement,
  lookStatement,
  type AtOncePart,
  type LockedPart,
} from './at-once-statement.ts';
import type { UsedAmounts, Uses } from './recent-accounts.ts';
import { enteredRows, parametersOf } from './charge-rows.ts';

type Row = Readonly<Record<string, string | number>>;

/** Without the numbers that are 0 and the texts that are empty, which the statement knows. */
const sparse = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0 && value !== ''));

/** Every stored row that the batch changes, with what is assumed of it and what it gains. */
export const gainingRows = ({ users, tokens, holds, endedHolds, periods }: RowChanges, required: Required) => {
  const userOf = new Map(users.map((row) => [row.id, row]));
  const tokenOf = new Map(tokens.map((row) => [row.id, row]));
  const periodOf = new Map(periods.map((row) => [row.id, row]));
  const holdOf = new Map(holds.map((row) => [row.request_id, row]));
  const ended = new Set(endedHolds);
  /** How much more an assumed amount became. */
  const gain = (amount: number | undefined) => (amount ?? assumedAmount) - assumedAmount;
  return {
    users: Array.from(required.users, ([id, least]) => {
      const { available, held, used = 0, request_count = 0 } = userOf.get(id) ?? {};
      return sparse({ id, least, available: gain(available), held: gain(held), used, request_count });
    }),
    tokens: Array.from(required.tokens, ([id, { least, unlimited }]) => {
      const { available, held, used = 0, accessed_time = 0, last_address = '' } = tokenOf.get(id) ?? {};
      const gained = { available: gain(available), held: gain(held), used, accessed_time, last_address };
      return sparse({ id, least, unlimited_quota: unlimited ? 1 : 0, ...gained });
    }),
    openHolds: Array.from(required.holds, ([request_id, { amount, limited, budgets }]) => {
      const changed = holdOf.get(request_id);
      return {
        ...sparse({
          request_id,
          amount,
          ends: ended.has(request_id) ? 1 : 0,
          more: changed === undefined ? 0 : changed.amount - amount,
          progress: changed?.progress ?? 0,
        }),
        // Absent: it may be any.
        ...(limited !== undefined && { token_limited: limited ? 1 : 0 }),
        ...(budgets !== undefined && { budgets }),
      };
    }),
    periods: Array.from(required.periods, ([id, { isHard, least }]) => {
      const { held = 0, used = 0 } = periodOf.get(id) ?? {};
      return { ...sparse({ id, held, used }), ...(isHard && { least }) };
    }),
    holds: holds.filter(({ request_id }) => !required.holds.has(request_id)),
  };
};

interface BalanceRow extends Balance {
  readonly kind: 'users' | 'tokens' | 'periods';
  readonly id: number;
}

const readBalances = (rows: readonly BalanceRow[]) => {
  const balancesOf = () => new Map<number, Balance>();
  const balances = { users: balancesOf(), tokens: balancesOf(), periods: balancesOf() };
  for (const { kind, id, available, held, used } of rows) balances[kind].set(id, { available, held, used });
  return balances;
};

const usedBy = (balances: ReadonlyMap<number, Balance>): UsedAmounts =>
  new Map(Array.from(balances, ([id, { used }]) => [id, used]));

const isLook = ({ kind }: Posting): boolean => kind === 'look';

/** The balances that postings look at, as of the statements before. */
const readLooked = async (client: Client, postings: readonly Posting[]): Promise<readonly BalanceRow[]> => {
  const looks = postings.filter(isLook);
  if (looks.length === 0) return [];
  const { users, tokens, periods } = needsOf(looks);
  const values = [[...users], [...tokens], [...periods]];
  return (await client.query<BalanceRow>({ ...lookStatement(), values })).rows;
};

/** Results of postings that all look; undefined where one moves something. */
export const lookAlone = async (
  client: Client,
  postings: readonly Posting[],
): Promise<readonly PostingResult[] | undefined> => {
  if (!postings.every(isLook)) return undefined;
  const balances = readBalances(await readLooked(client, postings));
  const outcomes = postings.map(() => done);
  return resultsOf(postings, outcomes, balances);
};

interface Written {
  readonly results: readonly PostingResult[];
  readonly uses: Uses;
}

/** A batch of requests that is computed on assumed accounts, and written if the stored ones are as assumed. */
export interface BatchAtOnce {
  readonly required: Required;
  /** Resolves to null where the stored rows are not as assumed: then nothing was written. */
  write(client: Client): Promise<Written | null>;
  /**
   * The same where other nodes write the same accounts: a statement that waits for a lock sees the rows as they were before
   * the wait, and PostgreSQL then sets up all of its steps once more for each. The locks are a statement of their own.
   */
  writeLocked(client: Client): Promise<Written | null>;
}

/** What the batch changes, as parameters of the statements that write it. */
const prepare = (postings: readonly Posting[], { required, state }: Assumption) => {
  const { outcomes, changes } = changesBy(state, postings);
  const rows: Readonly<Record<AtOncePart, readonly object[]>> = {
    ...gainingRows(changes, required),
    ...enteredRows(changes, state.node),
  };
  const parts = atOnceParts.filter((part) => rows[part].length > 0);
  const keys: Readonly<Record<LockedPart, Iterable<number | string>>> = {
    users: required.users.keys(),
    tokens: required.tokens.keys(),
    openHolds: required.holds.keys(),
    periods: required.periods.keys(),
  };
  const locked = parts.filter(isLocked);
  return {
    write: (locks: boolean) => ({
      ...atOnceStatement({ parts, locks }),
      values: parts.flatMap((part) => parametersOf(part, rows[part])),
    }),
    lock: () => ({ ...lockStatement(locked), values: locked.map((part) => [...keys[part]]) }),
    answer: (written: readonly BalanceRow[], looked: readonly BalanceRow[]): Written | null => {
      if (written.length === 0) return null;
      const uses: Uses = {
        added: new Map(changes.users.map(({ id, used }) => [id, used])),
        now: usedBy(readBalances(written).users),
      };
      return { results: resultsOf(postings, outcomes, readBalances([...written, ...looked])), uses };
    },
  };
};

/**
 * Undefined: the postings do not say enough to be applied without a read. They must be tried for the first time: a hold that
 * may have been stored and recovered is looked up in the ledger after the locks of its accounts.
 */
export const batchAtOnce = (postings: readonly Posting[], identity: NodeIdentity): BatchAtOnce | undefined => {
  const assumed = assumeFor(postings, identity);
  if (assumed === undefined) return undefined;
  return {
    required: assumed.required,
    write: async (client) => {
      const { write, answer } = prepare(postings, assumed);
      const written = client.query<BalanceRow>(write(true));
      const [{ rows }, looked] = await Promise.all([written, readLooked(client, postings)]);
      return answer(rows, looked);
    },
    writeLocked: async (client) => {
      const { write, lock, answer } = prepare(postings, assumed);
      // Sent together: no lock waits for this process, neither for an answer nor for a text.
      const [locking, writing] = [lock(), write(false)];
      const begun = client.query('begin');
      const locked = client.query(locking);
      const written = client.query<BalanceRow>(writing);
      const committed = client.query('commit');
      const looked = readLooked(client, postings);
      const [{ rows }, seen] = await Promise.all([written, looked, begun, locked, committed]);
      return answer(rows, seen);
    },
  };
};
