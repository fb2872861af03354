import { sql, type RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { hourSumColumns } from '../ledger/row-columns.ts';
import {
  type DayTable,
  dayTables,
  hoursPerDay,
  type HourTable,
  hourTables,
  keyOf,
  type SumTable,
} from './log-sum-tables.ts';

const columnsOf = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));
const sums = sql.join(hourSumColumns.map((name) => sql`sum(${sql.ref(name)})`));

/** Adds an hour to its day. */
const addHour = (table: DayTable, hour: number): RawBuilder<unknown> => {
  const columns = keyOf[table];
  const day = sql.lit(Math.floor(hour / hoursPerDay));
  const read = columns.map((column) => (column === 'day' ? sql`${day} as day` : sql.ref(column)));
  const grouped = columns.filter((column) => column !== 'day');
  const added = hourSumColumns.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  return sql`
    insert into ${sql.table(table)} (${columnsOf([...columns, ...hourSumColumns])})
    select ${sql.join(read)}, ${sums} from log_hours where hour = ${sql.lit(hour)}
      group by ${columnsOf(['hour', ...grouped])}
    on conflict (${columnsOf(columns)}) do update set ${sql.join(added)}`;
};

/** Sums an hour by name, each name appended to the index. */
const addHourByName = (table: HourTable, hour: number): RawBuilder<unknown> => {
  const columns = columnsOf(keyOf[table]);
  return sql`
    insert into ${sql.table(table)} (${columnsOf([...keyOf[table], ...hourSumColumns])})
    select ${columns}, ${sums} from log_hours where hour = ${sql.lit(hour)} group by ${columns} order by ${columns}`;
};

/**
 * Sums all whole days of the log at once, as the day by day work would: from the one behind the oldest to before `day`.
 * For a log that came whole, into tables without days. Sorted, so that each key is appended to its index.
 */
export const sumDaysAtOnce = async (trx: DatabaseTransaction, day: number): Promise<void> => {
  const oldest = await readOldestDay(trx);
  if (oldest === undefined || oldest + 1 >= day) return;
  const ofDay = sql`hour / ${sql.lit(hoursPerDay)}`;
  for (const table of dayTables) {
    const columns = keyOf[table];
    const read = columns.map((column) => (column === 'day' ? ofDay : sql.ref(column)));
    await sql`
      insert into ${sql.table(table)} (${columnsOf([...columns, ...hourSumColumns])})
      select ${sql.join(read)}, ${sums} from log_hours
        where hour >= ${sql.lit((oldest + 1) * hoursPerDay)} and hour < ${sql.lit(day * hoursPerDay)}
        group by ${sql.join(read)} order by ${sql.join(read)}`.execute(trx);
  }
  await sql`insert into log_days_summed (day, hours)
    with recursive days (day) as (
      select ${sql.lit(oldest + 1)} union all select day + 1 from days where day < ${sql.lit(day - 1)})
    select day, ${sql.lit(hoursPerDay)} from days`.execute(trx);
};

/** Rows of each table that one transaction deletes. */
const rowsAtOnce = 5000;

interface DayRange {
  readonly from: number;
  readonly before: number;
}

/** Deletes some of the sums of some days. False: none are left. */
const deleteSums = async (
  query: Pick<Database['write'], 'getExecutor'>,
  tables: readonly SumTable[],
  days: DayRange,
): Promise<boolean> => {
  let left = false;
  for (const table of tables) {
    const [period, perDay] = keyOf[table].includes('hour') ? [sql`hour`, hoursPerDay] : [sql`day`, 1];
    const columns = columnsOf(keyOf[table]);
    const gone = await sql`delete from ${sql.table(table)} where (${columns}) in
      (select ${columns} from ${sql.table(table)}
        where ${period} >= ${sql.lit(days.from * perDay)} and ${period} < ${sql.lit(days.before * perDay)}
        limit ${sql.lit(rowsAtOnce)})`.execute(query);
    left ||= Number(gone.numAffectedRows ?? 0) === rowsAtOnce;
  }
  return left;
};

/** Of several nodes only one at a time sums or forgets days; SQLite has one writer anyway. */
const lockSummed = async (trx: DatabaseTransaction, kind: Database['kind']): Promise<void> => {
  if (kind === 'postgres') await sql`lock table log_days_summed in exclusive mode`.execute(trx);
};

/** The oldest day of the log. Old rows are cleared from it, so it is read by the hour. */
const readOldestDay = async (query: ReadQueries): Promise<number | undefined> => {
  const first = await query.selectFrom('log_hours').select('hour').orderBy('hour').limit(1).executeTakeFirst();
  return first && Math.floor(first.hour / hoursPerDay);
};

/** The first day of which hours are missing in the sums, with the number of those that they have. */
const findUnfinishedDay = async (trx: DatabaseTransaction) => {
  const oldest = await readOldestDay(trx);
  if (oldest === undefined) return undefined;
  const begun = await trx
    .selectFrom('log_days_summed')
    .selectAll()
    .where('hours', '<', hoursPerDay)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  if (begun !== undefined) return begun;
  const last = await trx.selectFrom('log_days_summed').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst();
  return { day: Math.max(oldest, last?.day ?? oldest) + 1, hours: 0 };
};

/** The next hour from `hour` on in which there was anything. */
const nextHour = async (trx: DatabaseTransaction, { hour, before }: { hour: number; before: number }) => {
  const found = await trx
    .selectFrom('log_hours')
    .select('hour')
    .where('hour', '>=', hour)
    .where('hour', '<', before)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst();
  return found?.hour;
};

/**
 * Adds the next hour to the sums of its day, in one transaction: killed at any point, it is added once. Hours from
 * `before` on are not closed yet. False: there is none left. On several nodes each hour is taken by one.
 */
export const sumNextHour = (db: Database, before: number): Promise<boolean> =>
  db.write.transaction().execute(async (trx) => {
    await lockSummed(trx, db.kind);
    const unfinished = await findUnfinishedDay(trx);
    if (unfinished === undefined) return false;
    const { day, hours } = unfinished;
    const begin = day * hoursPerDay;
    const end = Math.min(begin + hoursPerDay, before);
    if (begin + hours >= end) return false;
    if (hours === 0 && (await deleteSums(trx, dayTables, { from: day, before: day + 1 }))) return true;
    const hour = await nextHour(trx, { hour: begin + hours, before: end });
    if (hour !== undefined) for (const table of dayTables) await addHour(table, hour).execute(trx);
    const summed = (hour === undefined ? end : hour + 1) - begin;
    await trx
      .insertInto('log_days_summed')
      .values({ day, hours: summed })
      .onConflict((on) =>
        // The hour tables may have those of a day that a node of an earlier version has summed again.
        on.column('day').doUpdateSet(hours === 0 ? { hours: summed, hours_by_name: 0 } : { hours: summed }),
      )
      .execute();
    return true;
  });

/**
 * Adds an hour that is in the sums of its day to the hour tables too, newest day first, in one transaction. False: there is
 * none left.
 */
export const sumNextHourByName = (db: Database): Promise<boolean> =>
  db.write.transaction().execute(async (trx) => {
    await lockSummed(trx, db.kind);
    const unfinished = await trx
      .selectFrom('log_days_summed')
      .selectAll()
      .whereRef('hours_by_name', '<', 'hours')
      .orderBy('day', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (unfinished === undefined) return false;
    const { day, hours, hours_by_name: named } = unfinished;
    if (named === 0 && (await deleteSums(trx, hourTables, { from: day, before: day + 1 }))) return true;
    const begin = day * hoursPerDay;
    const hour = await nextHour(trx, { hour: begin + named, before: begin + hours });
    if (hour !== undefined) for (const table of hourTables) await addHourByName(table, hour).execute(trx);
    await trx
      .updateTable('log_days_summed')
      .set({ hours_by_name: hour === undefined ? hours : hour + 1 - begin })
      .where('day', '=', day)
      .execute();
    return true;
  });

/** Has a day and all earlier ones read by the hour: in the transaction that deletes rows of them. */
export const forgetDays = async (
  trx: DatabaseTransaction,
  { kind, until }: { readonly kind: Database['kind']; readonly until: number },
): Promise<void> => {
  await lockSummed(trx, kind);
  await trx.deleteFrom('log_days_summed').where('day', '<=', until).execute();
};

/**
 * Has those of the newest days summed again whose requests are not those of their summed hours: a row came hours late, or
 * a node of an earlier version summed them, which knows fewer tables. Until then they are read by the hour.
 */
export const checkNewestDays = async (db: Database, days: number): Promise<void> => {
  const requests = sql`coalesce(sum(requests), 0)`;
  const begin = sql`newest.day * ${sql.lit(hoursPerDay)}`;
  const ofHours = (table: 'log_hours' | HourTable) =>
    sql`(select ${requests} from ${sql.table(table)} where hour >= ${begin} and hour < ${begin} + newest.hours)`;
  const ofDay = (table: DayTable) =>
    sql`(select ${requests} from ${sql.table(table)} as sums where sums.day = newest.day)`;
  // Read once for all comparisons: the hours of a day may have hundreds of thousands of rows.
  const sumsOfDays = sql<{
    readonly day: number;
    readonly requests: number | string;
    readonly of_all: number | string;
    readonly of_models: number | string;
    /** Null: not all of the hours are summed by name yet. */
    readonly by_name: number | string | null;
  }>`(select day, ${ofHours('log_hours')} as requests, ${ofDay('log_days_of_all')} as of_all,
      ${ofDay('log_days_of_models')} as of_models,
      case when hours_by_name = hours then ${ofHours('log_hours_of_all')} end as by_name
    from (select * from log_days_summed where hours > 0 order by day desc limit ${sql.lit(days)}) as newest)`;
  for (const sum of await db.read.selectFrom(sumsOfDays.as('sums')).selectAll().execute()) {
    const known = [sum.of_all, sum.of_models, sum.by_name ?? sum.requests];
    if (known.every((count) => Number(count) === Number(sum.requests))) continue;
    await db.write
      .updateTable('log_days_summed')
      .set({ hours: 0, hours_by_name: 0 })
      .where('day', '=', sum.day)
      .execute();
  }
};

/** Beyond all days of a log. */
const noDay = 2 ** 31;

/** Deletes some of the sums of days before the oldest of the log. False: none are left. */
export const deleteLeftDays = async (db: Database): Promise<boolean> => {
  const before = (await readOldestDay(db.read)) ?? noDay;
  return deleteSums(db.write, [...dayTables, ...hourTables], { from: 0, before });
};
