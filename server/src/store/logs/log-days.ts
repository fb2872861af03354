import { sql, type RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { hourSumColumns } from '../ledger/row-columns.ts';
import { type DayTable, dayTables, hoursPerDay, tables } from './log-sum-tables.ts';

/** Adds an hour to its day. */
const addHour = (table: DayTable, hour: number): RawBuilder<unknown> => {
  const columns = tables[table];
  const day = sql.lit(Math.floor(hour / hoursPerDay));
  const read = columns.map((column) => (column === 'day' ? sql`${day} as day` : sql.ref(column)));
  const grouped: readonly string[] = columns.filter((column) => column !== 'day');
  const added = hourSumColumns.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  return sql`
    insert into ${sql.table(table)} (${sql.join([...columns, ...hourSumColumns].map((column) => sql.ref(column)))})
    select ${sql.join([...read, ...hourSumColumns.map((name) => sql`sum(${sql.ref(name)})`)])}
      from log_hours where hour = ${sql.lit(hour)} group by ${sql.join(['hour', ...grouped].map((column) => sql.ref(column)))}
    on conflict (${sql.join(columns.map((column) => sql.ref(column)))}) do update set ${sql.join(added)}`;
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
    const columns: readonly string[] = tables[table];
    const read = columns.map((column) => (column === 'day' ? ofDay : sql.ref(column)));
    await sql`
      insert into ${sql.table(table)} (${sql.join([...columns, ...hourSumColumns].map((column) => sql.ref(column)))})
      select ${sql.join([...read, ...hourSumColumns.map((name) => sql`sum(${sql.ref(name)})`)])} from log_hours
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

/** Deletes some of the sums of days. False: none are left. */
const deleteSums = async (
  query: Pick<Database['write'], 'getExecutor'>,
  days: RawBuilder<unknown>,
): Promise<boolean> => {
  let left = false;
  for (const table of dayTables) {
    const columns = sql.join(tables[table].map((column) => sql.ref(column)));
    const gone = await sql`delete from ${sql.table(table)} where (${columns}) in
      (select ${columns} from ${sql.table(table)} where ${days} limit ${sql.lit(rowsAtOnce)})`.execute(query);
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
    if (hours === 0 && (await deleteSums(trx, sql`day = ${sql.lit(day)}`))) return true;
    const hour = await nextHour(trx, { hour: begin + hours, before: end });
    if (hour !== undefined) for (const table of dayTables) await addHour(table, hour).execute(trx);
    const summed = (hour === undefined ? end : hour + 1) - begin;
    await trx
      .insertInto('log_days_summed')
      .values({ day, hours: summed })
      .onConflict((on) => on.column('day').doUpdateSet({ hours: summed }))
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

/** Tables of which an earlier version, while it runs beside this one, sums no days. */
const laterTables = ['log_days_of_all', 'log_days_of_models'] as const;

/**
 * Has those of the newest days summed again whose requests are not those of their summed hours: a row came hours late, or
 * a node of an earlier version summed them. Until then they are read by the hour.
 */
export const checkNewestDays = async (db: Database, days: number): Promise<void> => {
  const newest = db.read
    .selectFrom('log_days_summed')
    .selectAll()
    .where('hours', '>', 0)
    .orderBy('day', 'desc')
    .limit(days)
    .as('newest');
  const byHour = sql<number>`(select coalesce(sum(requests), 0) from log_hours
    where hour >= newest.day * ${sql.lit(hoursPerDay)} and hour < newest.day * ${sql.lit(hoursPerDay)} + newest.hours)`;
  const byDay = (table: DayTable) =>
    sql<number>`(select coalesce(sum(requests), 0) from ${sql.table(table)} as sums where sums.day = newest.day)`;
  const late = await db.read
    .selectFrom(newest)
    .select('day')
    .where((eb) => eb.or(laterTables.map((table) => eb(byDay(table), '<>', byHour))))
    .execute();
  for (const { day } of late) {
    await db.write.updateTable('log_days_summed').set({ hours: 0 }).where('day', '=', day).execute();
  }
};

/** Deletes some of the sums of days before the oldest of the log. False: none are left. */
export const deleteLeftDays = async (db: Database): Promise<boolean> => {
  const oldest = await readOldestDay(db.read);
  return deleteSums(db.write, oldest === undefined ? sql`true` : sql`day < ${sql.lit(oldest)}`);
};
