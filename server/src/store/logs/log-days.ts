import { sql, type RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { hourSumColumns } from '../ledger/row-columns.ts';

export const hoursPerDay = 24;

/** Whole days that are in the day tables, from `from` to before `before`. Others are to be read by the hour. */
export interface SummedDays {
  readonly from: number;
  readonly before: number;
  /** Hours of the day `before` that the day tables have too, from its first on. */
  readonly begun?: number;
}

/**
 * Days and hours in the day tables, oldest first: one range, or more while a day that got a late row is out. Whole days
 * that follow each other are one row, so that a year takes as long to read as a week.
 */
const readSummedHours = async (query: ReadQueries): Promise<SummedDays[]> => {
  const ranges = sql<{ readonly day: number; readonly before: number; readonly hours: number }>`(
    select min(day) as day, max(day) + 1 as before, ${sql.lit(hoursPerDay)} as hours
      from (select day, day - row_number() over (order by day) as range
        from log_days_summed where hours = ${sql.lit(hoursPerDay)}) as whole group by range
    union all select day, day as before, hours
      from log_days_summed where hours > 0 and hours < ${sql.lit(hoursPerDay)})`;
  const rows = await query.selectFrom(ranges.as('ranges')).selectAll().orderBy('day').execute();
  const runs: { from: number; before: number; begun?: number }[] = [];
  for (const { day, before, hours } of rows) {
    const last = runs.at(-1);
    if (hours === hoursPerDay) runs.push({ from: day, before });
    else if (last?.before === day && last.begun === undefined) last.begun = hours;
    else runs.push({ from: day, before, begun: hours });
  }
  return runs;
};

const wholeDays = (runs: readonly SummedDays[]): SummedDays[] =>
  runs.map(({ from, before }) => ({ from, before })).filter(({ from, before }) => from < before);

/** The whole days in the day tables. */
export const readSummedDays = async (query: ReadQueries): Promise<SummedDays[]> =>
  wholeDays(await readSummedHours(query));

/**
 * Reads sums of days also where they have but some hours yet. An hour that is added to them meanwhile may be read twice,
 * so the sums are then read again from whole days.
 */
export const readSums = async <Result>(
  db: Database,
  run: (summed: readonly SummedDays[]) => Promise<Result>,
): Promise<Result> => {
  const before = await readSummedHours(db.read);
  const result = await run(before);
  const after = await readSummedHours(db.read);
  return JSON.stringify(after) === JSON.stringify(before) ? result : run(wholeDays(after));
};

/** Part of a range of hours: days as far as they are summed, or hours beside them. */
interface Stretch {
  readonly unit: 'hour' | 'day';
  readonly from: number;
  readonly before: number;
}

/** Splits a range of hours into the days that are summed and the hours beside them, oldest first. */
export const splitHours = (
  { from, before }: { readonly from: number; readonly before: number },
  summed: readonly SummedDays[],
): Stretch[] => {
  const stretches: Stretch[] = [];
  let next = from;
  const add = (stretch: Stretch): void => {
    if (stretch.from < stretch.before) stretches.push(stretch);
  };
  for (const run of summed) {
    const first = Math.max(run.from, Math.ceil(from / hoursPerDay));
    const hours = run.before * hoursPerDay + (run.begun ?? 0);
    const isAll = before >= hours;
    const end = isAll ? Math.ceil(hours / hoursPerDay) : Math.min(run.before, Math.floor(before / hoursPerDay));
    if (first >= end) continue;
    add({ unit: 'hour', from: next, before: first * hoursPerDay });
    add({ unit: 'day', from: first, before: end });
    next = isAll ? hours : end * hoursPerDay;
  }
  add({ unit: 'hour', from: next, before });
  return stretches;
};

/** Columns of each table in the order of its key; tables of few rows come first. */
const tables = {
  log_days_of_all: ['day'],
  log_days_of_models: ['day', 'model_name'],
  log_days: ['day', 'model_name', 'channel_id'],
  log_days_by_user_model: ['user_id', 'model_name', 'day'],
  log_days_by_user_token: ['user_id', 'token_name', 'day'],
  log_days_of_tokens: ['day', 'token_name'],
  log_days_of_users: ['day', 'user_id'],
  log_days_by_token: ['token_name', 'day', 'model_name', 'channel_id'],
  log_days_by_user: ['user_id', 'day', 'token_name', 'model_name', 'channel_id'],
} as const;
export type DayTable = keyof typeof tables;
/** Columns of the hourly sums; a token's id is in no day table. */
export type Dimension = Exclude<(typeof tables)[DayTable][number], 'day'> | 'token_id';
export const dayTables = [
  'log_days_of_all',
  'log_days_of_models',
  'log_days',
  'log_days_by_user_model',
  'log_days_by_user_token',
  'log_days_of_tokens',
  'log_days_of_users',
  'log_days_by_token',
  'log_days_by_user',
] as const satisfies DayTable[];

/**
 * The table from which a query reads least: it has every column of the query, and its key begins with most filtered
 * columns, or with the day. Undefined: none does.
 */
export const dayTableFor = ({
  filtered,
  by,
}: {
  /** Columns that are filtered to one value. */
  readonly filtered: ReadonlySet<Dimension>;
  /** The column that sums are grouped by. */
  readonly by?: Dimension;
}): DayTable | undefined => {
  const narrowed = (table: DayTable): number => {
    const columns: readonly (Dimension | 'day')[] = tables[table];
    const needed = by === undefined ? [...filtered] : [...filtered, by];
    if (needed.some((column) => !columns.includes(column))) return -1;
    const first = columns.findIndex((column) => column === 'day' || !filtered.has(column));
    return first === 0 && columns[first] !== 'day' ? -1 : first;
  };
  return dayTables
    .filter((table) => narrowed(table) >= 0)
    .reduce<DayTable | undefined>(
      (best, table) => (best === undefined || narrowed(table) > narrowed(best) ? table : best),
      undefined,
    );
};

/** Whether a table has one row for each day with these columns filtered, in the order of its key. */
export const hasRowADay = (table: DayTable, filtered: ReadonlySet<Dimension>): boolean => {
  const [first, second, ...more]: readonly (Dimension | 'day')[] = tables[table];
  return first === 'day' && second !== undefined && second !== 'day' && filtered.has(second) && more.length === 0;
};

/** The table from which the total of a filter is read. Undefined: none has every filtered column. */
export const totalsTableFor = (filtered: ReadonlySet<Dimension>): DayTable | undefined =>
  (filtered.size === 1 ? dayTables.find((table) => hasRowADay(table, filtered)) : undefined) ??
  dayTableFor({ filtered });

/** Whether the values of a column are found within each day of a table alone: `log_days` has an index for each column. */
export const followsDay = (table: DayTable, by: Dimension): boolean => {
  const columns: readonly (Dimension | 'day')[] = tables[table];
  return table !== 'log_days' && columns.indexOf(by) === columns.indexOf('day') + 1;
};

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
