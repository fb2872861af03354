import type {
  Code,
  DoneEntry,
  NewEntry,
  NodeIdentity,
  PeriodAccount,
  RowChanges,
  TokenAccount,
  UserAccount,
} from '../../src/store/ledger/accounts-state.ts';
import { applyToAccounts } from '../../src/store/ledger/apply-to-accounts.ts';
import { periodsNamed } from '../../src/store/ledger/period-names.ts';
import type { Posting } from '../../src/store/ledger/postings.ts';
import type { HoldsTable } from '../../src/store/schema.ts';
import { compareAtOnce } from './compare-at-once.ts';

interface Rows {
  readonly users: readonly UserAccount[];
  readonly tokens: readonly TokenAccount[];
  readonly codes: readonly Code[];
  readonly periods: readonly PeriodAccount[];
}

const codeUsed = 3;

/** The ledger in memory: what a database does with the changes of a batch, in the plainest way. */
export const simulateAccounts = (rows: Rows) => {
  const users = new Map(rows.users.map((row) => [row.id, row]));
  const tokens = new Map(rows.tokens.map((row) => [row.id, row]));
  const codes = new Map(rows.codes.map((row) => [row.key_digest, row]));
  const periods = new Map(rows.periods.map((row) => [row.id, row]));
  const holds = new Map<string, HoldsTable>();
  const channels = new Map<number, number>();
  const ledger: NewEntry[] = [];
  const done = new Map<string, DoneEntry>();
  const allocated = new Map<number, number>();

  /** Batches, and those of them that PostgreSQL would have written without a read. */
  const counts = { batches: 0, atOnce: 0 };

  const enter = (entry: NewEntry) => {
    if (done.has(entry.op_key)) throw new Error(`L5 the ledger already has ${entry.op_key}`);
    done.set(entry.op_key, entry);
    if (entry.kind === 'allocate') allocated.set(entry.token_id, (allocated.get(entry.token_id) ?? 0) + entry.amount);
    ledger.push(entry);
  };
  /** What both databases check of every row (migration 0001). */
  const check = (account: string, { id, available, held, used }: UserAccount | TokenAccount) => {
    if (Math.min(available, held, used) < 0) throw new Error(`L8 ${account} ${id} would fall below zero`);
  };
  const write = (changes: RowChanges) => {
    for (const user of changes.users) check('user', user);
    for (const token of changes.tokens) check('token', token);
    for (const entry of changes.ledger) enter(entry);
    for (const user of changes.users) users.set(user.id, user);
    for (const token of changes.tokens) tokens.set(token.id, token);
    for (const period of changes.periods) periods.set(period.id, period);
    for (const [id, used] of changes.channels) channels.set(id, (channels.get(id) ?? 0) + used);
    for (const hold of changes.holds) holds.set(hold.request_id, hold);
    for (const requestId of changes.endedHolds) holds.delete(requestId);
    for (const code of codes.values()) {
      if (changes.redeemed.some(({ id }) => id === code.id)) codes.set(code.key_digest, { ...code, status: codeUsed });
    }
  };
  /** The returned function takes back everything since. */
  const mark = (): (() => void) => {
    const maps = [users, tokens, codes, periods, holds, channels, done, allocated];
    const before = maps.map((map) => [...map]);
    const entries = ledger.length;
    return () => {
      for (const [index, map] of maps.entries()) {
        map.clear();
        for (const [key, row] of before[index] ?? []) Reflect.apply(map.set, map, [key, row]);
      }
      ledger.length = entries;
    };
  };
  const post = (postings: readonly Posting[], identity: NodeIdentity = { node: 'main', epoch: 1 }) => {
    const state = { users, tokens, holds, codes, periods, allocated, done, ...identity };
    const { results, changes } = applyToAccounts(state, postings);
    const outcomes = results.map(({ outcome, charged, unrecovered }) => ({ outcome, charged, unrecovered }));
    if (compareAtOnce(state, postings, { outcomes, changes })) counts.atOnce += 1;
    counts.batches += 1;
    /** Requests whose hold a posting of this batch has ended. */
    const ended = new Set<string>();
    for (const [index, posting] of postings.entries()) {
      if (posting.kind !== 'settle' && posting.kind !== 'release') continue;
      const { requestId } = posting;
      const held = ended.has(requestId) ? undefined : holds.get(requestId)?.amount;
      ended.add(requestId);
      const isCovered = posting.kind === 'settle' && held !== undefined && posting.amount <= held;
      if (isCovered && results[index]?.unrecovered !== 0)
        throw new Error(`L8 ${requestId} falls short within its hold of ${held}`);
    }
    write(changes);
    return results;
  };
  return { users, tokens, codes, periods, holds, channels, ledger, counts, post, mark };
};
export type SimulatedAccounts = ReturnType<typeof simulateAccounts>;

const sum = <Row>(rows: Iterable<Row>, amount: (row: Row) => number): number => {
  let total = 0;
  for (const row of rows) total += amount(row);
  return total;
};

/** What the invariants L1 to L5 and L8 have against the ledger; empty where they hold. */
export const brokenInvariants = ({ users, tokens, periods, holds, channels, ledger }: SimulatedAccounts): string[] => {
  const broken: string[] = [];
  const expect = (rule: string, expected: number, found: number) => {
    if (expected !== found) broken.push(`${rule}: expected ${expected}, found ${found}`);
  };
  const uses = ledger.filter((entry) => entry.kind === 'use');
  const credits = ledger.filter((entry) => entry.kind !== 'use' && entry.kind !== 'allocate');
  const of = <Row, Key extends keyof Row>(rows: Iterable<Row>, key: Key, id: Row[Key]) =>
    [...rows].filter((row) => row[key] === id);
  for (const { id, available, held, used } of users.values()) {
    expect(
      `L1 user ${id}`,
      sum(of(credits, 'user_id', id), (entry) => entry.amount),
      available + held + used,
    );
    expect(
      `L3 user ${id}`,
      sum(of(uses, 'user_id', id), (entry) => entry.amount),
      used,
    );
    expect(
      `L4 user ${id}`,
      sum(of(holds.values(), 'user_id', id), (hold) => hold.amount),
      held,
    );
    if (Math.min(available, held, used) < 0) broken.push(`L8 user ${id} below zero`);
  }
  for (const { id, available, held, used, unlimited_quota } of tokens.values()) {
    const allocations = of(ledger, 'token_id', id).filter((entry) => entry.kind === 'allocate');
    const own = of(holds.values(), 'token_id', id).filter((hold) => hold.token_limited === 1);
    if (unlimited_quota === 0)
      expect(
        `L2 token ${id}`,
        sum(allocations, (entry) => entry.amount),
        available + held + used,
      );
    expect(
      `L3 token ${id}`,
      sum(of(uses, 'token_id', id), (entry) => entry.amount),
      used,
    );
    expect(
      `L4 token ${id}`,
      sum(own, (hold) => hold.amount),
      held,
    );
    if (Math.min(available, held, used) < 0) broken.push(`L8 token ${id} below zero`);
  }
  const names = (budgets: string | undefined, id: number) => periodsNamed(budgets).some((named) => named.id === id);
  for (const { id, held, used } of periods.values()) {
    const named = uses.filter(({ budgets }) => names(budgets, id));
    const own = [...holds.values()].filter(({ budgets }) => names(budgets, id));
    expect(
      `L3 budget period ${id}`,
      sum(named, (entry) => entry.amount),
      used,
    );
    expect(
      `L4 budget period ${id}`,
      sum(own, (hold) => hold.amount),
      held,
    );
    if (held < 0) broken.push(`L8 budget period ${id} holds less than nothing`);
  }
  for (const [id, used] of channels) {
    expect(
      `L3 channel ${id}`,
      sum(of(uses, 'channel_id', id), (entry) => entry.amount),
      used,
    );
  }
  expect('L5 operation keys', ledger.length, new Set(ledger.map((entry) => entry.op_key)).size);
  expect('L5 holds of settled requests', 0, uses.filter((entry) => holds.has(entry.request_id)).length);
  return broken;
};
