import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import type { RunsTable } from './run-table.ts';

export type RunRow = Selectable<RunsTable>;

/** Limits of a run; 0: none. */
export interface RunTerms {
  /** Quota units. */
  readonly amount: number;
  readonly callsMax: number;
  readonly seconds: number;
}

export interface NewRun {
  readonly userId: number;
  readonly tokenId: number;
  readonly name: string;
  readonly terms: RunTerms;
  /** Unix seconds. */
  readonly at: number;
}

/** The end of a period without one, in unix seconds: the last second that dates of four digits have. */
const noEnd = 253_402_300_799;

/** Undefined: the user has none of this name. */
export const findNamedRun = (read: ReadQueries, userId: number, name: string): Promise<RunRow | undefined> =>
  read.selectFrom('runs').selectAll().where('user_id', '=', userId).where('name', '=', name).executeTakeFirst();

const insertRun = async (trx: DatabaseTransaction, run: NewRun): Promise<RunRow | undefined> => {
  const { userId, tokenId, name, terms, at } = run;
  const row = await trx
    .insertInto('runs')
    .values({
      user_id: userId,
      token_id: tokenId,
      name,
      period_id: 0,
      started_at: at,
      last_at: at,
      ends_at: terms.seconds === 0 ? 0 : at + terms.seconds,
      ended_at: 0,
      calls: 0,
      calls_max: terms.callsMax,
      amount: terms.amount,
    })
    .onConflict((on) => on.columns(['user_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return findNamedRun(trx, userId, name);
  // No budget has a negative ID: the index on budgets and starts keeps the periods of runs apart.
  const { id } = await trx
    .insertInto('budget_periods')
    .values({
      budget_id: -row.id,
      starts_at: at,
      ends_at: row.ends_at === 0 ? noEnd : row.ends_at,
      granted: terms.amount,
      held: 0,
      used: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return trx.updateTable('runs').set({ period_id: id }).where('id', '=', row.id).returningAll().executeTakeFirst();
};

/** Makes a run with these terms; the one of this name, where another call has begun it meanwhile. */
export const beginRun = async (db: Database, run: NewRun): Promise<RunRow> => {
  const made = await db.write.transaction().execute((trx) => insertRun(trx, run));
  if (made === undefined) throw new Error(`run ${run.name} of user ${run.userId} is missing`);
  return made;
};

/** Calls of a run that are not written yet. */
export interface RunCalls {
  readonly runId: number;
  readonly count: number;
  /** Unix seconds. */
  readonly lastAt: number;
}

/** Adds calls to their runs. Returns what all nodes together have written, and the state of the runs. */
export const addRunCalls = (db: Database, counted: readonly RunCalls[]): Promise<readonly RunRow[]> =>
  db.write.transaction().execute(async (trx) => {
    const rows: RunRow[] = [];
    // In one order, so that two nodes do not wait for each other.
    for (const { runId, count, lastAt } of counted.toSorted((one, other) => one.runId - other.runId)) {
      const at = sql.lit(lastAt);
      const row = await trx
        .updateTable('runs')
        .set((on) => ({
          calls: on('calls', '+', count),
          last_at: sql<number>`case when last_at < ${at} then ${at} else last_at end`,
        }))
        .where('id', '=', runId)
        .returningAll()
        .executeTakeFirst();
      if (row !== undefined) rows.push(row);
    }
    return rows;
  });

export const findRun = (read: ReadQueries, id: number): Promise<RunRow | undefined> =>
  read.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();

/** False: it had ended before. */
export const endRun = async (trx: DatabaseTransaction, id: number, at: number): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
