import type { redemptionStatus } from '@weir/contract/redemptions';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { HoldsTable } from '../../schema.ts';
import {
  needsOf,
  redeemKey,
  type Code,
  type DoneEntry,
  type Needs,
  type NewEntry,
  type NodeIdentity,
  type PeriodAccount,
  type RowChanges,
  type TokenAccount,
  type UserAccount,
} from '../../ledger/accounts-state.ts';
import { applyToAccounts, refusesCharge } from '../../ledger/apply-to-accounts.ts';
import { holdColumns, hourKeyColumns, hourSumColumns } from '../../ledger/row-columns.ts';
import { logValues } from '../../logs/log-columns.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteTexts } from './sqlite-statements.ts';

/** The contract's value. Its type alone is imported: the writer thread starts without the contract's schemas. */
const codeUsed: typeof redemptionStatus.used = 3;
const hourColumns = [...hourKeyColumns, ...hourSumColumns] as const;

const values = <Column extends string>(
  row: Readonly<Record<Column, SQLInputValue>>,
  columns: readonly Column[],
): SQLInputValue[] => {
  const bound: SQLInputValue[] = [];
  for (const column of columns) bound.push(row[column]);
  return bound;
};

/** Compiles the statements on a connection; the tables must exist. */
const prepareAll = ({ prepare }: SqliteConnection, texts: SqliteTexts) => ({
  user: reader<UserAccount>(prepare(texts.user)),
  token: reader<TokenAccount>(prepare(texts.token)),
  hold: reader<HoldsTable>(prepare(texts.hold)),
  code: reader<Code>(prepare(texts.code)),
  period: reader<PeriodAccount>(prepare(texts.period)),
  done: reader<DoneEntry>(prepare(texts.done)),
  allocated: reader<{ readonly amount: number | null }>(prepare(texts.allocated)),
  setUser: prepare(texts.setUser),
  setToken: prepare(texts.setToken),
  setPeriod: prepare(texts.setPeriod),
  addToChannel: prepare(texts.addToChannel),
  endHold: prepare(texts.endHold),
  redeem: prepare(texts.redeem),
  insertEntry: prepare(texts.insertEntry),
  insertLog: prepare(texts.insertLog),
  putHold: prepare(texts.putHold),
  addHour: prepare(texts.addHour),
});
type Prepared = ReturnType<typeof prepareAll>;

/** The boundary between the columns a statement selects and the type of its rows. */
const reader =
  <Row>(statement: StatementSync) =>
  (key: SQLInputValue): Row | undefined =>
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the boundary named above
    statement.get(key) as Row | undefined;

const collect = <Key extends SQLInputValue, Row>(keys: Iterable<Key>, read: (key: Key) => Row | undefined) => {
  const rows = new Map<Key, Row>();
  for (const key of keys) {
    const row = read(key);
    if (row !== undefined) rows.set(key, row);
  }
  return rows;
};

const load = (prepared: Prepared, needs: Needs) => ({
  users: collect(needs.users, prepared.user),
  tokens: collect(needs.tokens, prepared.token),
  holds: collect(needs.holds, prepared.hold),
  codes: collect(needs.codes, prepared.code),
  periods: collect(needs.periods, prepared.period),
  allocated: collect(needs.allocations, (id) => prepared.allocated(id)?.amount ?? 0),
  done: collect(needs.heldKeys, prepared.done),
});

/** Spelled out in the order of the columns, because every settlement writes one. */
const insertEntry = (statement: StatementSync, row: NewEntry) =>
  statement.run(
    row.op_key,
    row.kind,
    row.user_id,
    row.token_id,
    row.channel_id,
    row.amount,
    row.unrecovered,
    row.request_id,
    row.price_version,
    row.estimated,
    row.actor_id,
    row.reason,
    row.created_at,
    row.budgets ?? '',
  );

/**
 * False where an operation is in the ledger already and was not looked up before: then nothing may stay of the batch.
 */
const save = (prepared: Prepared, changes: RowChanges): boolean => {
  for (const entry of changes.ledger) {
    if (insertEntry(prepared.insertEntry, entry).changes === 0) return false;
  }
  for (const log of changes.logs) prepared.insertLog.run(...logValues(log));
  for (const hour of changes.hours) prepared.addHour.run(...values(hour, hourColumns));
  for (const hold of changes.holds) prepared.putHold.run(...values(hold, holdColumns));
  for (const requestId of changes.endedHolds) prepared.endHold.run(requestId);
  for (const { available, held, used, request_count, id } of changes.users) {
    prepared.setUser.run(available, held, used, request_count, id);
  }
  for (const { available, held, used, status, unlimited_quota, ...token } of changes.tokens) {
    const { accessed_time: usedAt, last_address: address, id } = token;
    prepared.setToken.run(available, held, used, status, unlimited_quota, usedAt, address, id);
  }
  for (const { held, used, id } of changes.periods) prepared.setPeriod.run(held, used, id);
  for (const [id, used] of changes.channels) prepared.addToChannel.run(used, id);
  for (const { id, userId, at } of changes.redeemed) prepared.redeem.run(codeUsed, at, userId, id);
  return true;
};

export interface SqliteAccounts {
  /**
   * Applies postings inside the open transaction. Operations are hardly ever repeated, so an `optimistic` attempt looks
   * none of them up: undefined says that the ledger's unique key found one, and that the caller has to undo what was
   * written and try again, `verified`. Throws where nothing of it may stay either.
   */
  post(
    postings: readonly Posting[],
    identity: NodeIdentity,
    way: 'optimistic' | 'verified',
  ): readonly PostingResult[] | undefined;
}

export const createSqliteAccounts = (connection: SqliteConnection, texts: SqliteTexts): SqliteAccounts => {
  const prepared = prepareAll(connection, texts);

  const lookUp = (needs: Needs, rows: ReturnType<typeof load>) => {
    const redemptions = Array.from(rows.codes.values(), (code) => redeemKey(code.id));
    return collect([...needs.heldKeys, ...needs.opKeys, ...redemptions], prepared.done);
  };
  return {
    post: (postings, identity, way) => {
      const needs = needsOf(postings);
      const rows = load(prepared, needs);
      const done = way === 'verified' ? lookUp(needs, rows) : rows.done;
      const { results, changes } = applyToAccounts({ ...rows, ...identity, done }, postings);
      if (way === 'optimistic' && refusesCharge(postings, results)) return undefined;
      return save(prepared, changes) ? results : undefined;
    },
  };
};
