import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import type { Schema } from '../schema.ts';

export const hoursPerDay = 24;

/** The days that the day tables have: whole days from `from` to before `before`. Others are to be read by the hour. */
export interface SummedDays {
  readonly from: number;
  readonly before: number;
}

interface State {
  /** The first day whose hours were all summed. */
  readonly from: number;
  /** The hour that is summed next. */
  readonly next: number;
}

const keys = { from: 'log_days_from', next: 'log_days_next' } as const;

const readState = async (query: ReadQueries): Promise<State | undefined> => {
  const rows = await query.selectFrom('instance').selectAll().where('key', 'in', [keys.from, keys.next]).execute();
  const value = (key: string) => rows.find((row) => row.key === key)?.value;
  const [from, next] = [value(keys.from), value(keys.next)];
  return from === undefined || next === undefined ? undefined : { from: Number(from), next: Number(next) };
};

/** Only one at a time changes the state; SQLite has one writer anyway. */
const lockState = async (trx: Transaction<Schema>, kind: Database['kind']): Promise<State | undefined> => {
  const lock = trx.selectFrom('instance').select('key').where('key', '=', keys.next);
  if (kind === 'postgres') await lock.forUpdate().execute();
  return readState(trx);
};

const write = (trx: Transaction<Schema>, key: string, value: number) =>
  trx
    .updateTable('instance')
    .set({ value: String(value) })
    .where('key', '=', key)
    .execute();

export const readSummedDays = async (query: ReadQueries): Promise<SummedDays> => {
  const state = await readState(query);
  return state === undefined
    ? { from: 0, before: 0 }
    : { from: state.from, before: Math.floor(state.next / hoursPerDay) };
};

/** Columns of each table in the order of its key; tables of few rows come first. */
const tables = {
  log_days: ['day', 'model_name', 'channel_id'],
  log_days_by_user_model: ['user_id', 'model_name', 'day'],
  log_days_of_tokens: ['day', 'token_name'],
  log_days_of_users: ['day', 'user_id'],
  log_days_by_token: ['token_name', 'day', 'model_name', 'channel_id'],
  log_days_by_user: ['user_id', 'day', 'token_name', 'model_name', 'channel_id'],
} as const;
export type DayTable = keyof typeof tables;
export type Dimension = Exclude<(typeof tables)[DayTable][number], 'day'>;
export const dayTables = [
  'log_days',
  'log_days_by_user_model',
  'log_days_of_tokens',
  'log_days_of_users',
  'log_days_by_token',
  'log_days_by_user',
] as const satisfies DayTable[];

/**
 * The table from which a query reads least: it has every column of the query, and its days are adjacent once the
 * filtered columns are given. Undefined: none does.
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
    const before = columns.slice(0, columns.indexOf('day'));
    return before.every((column) => column !== 'day' && filtered.has(column)) ? before.length : -1;
  };
  return dayTables
    .filter((table) => narrowed(table) >= 0)
    .reduce<DayTable | undefined>(
      (best, table) => (best === undefined || narrowed(table) > narrowed(best) ? table : best),
      undefined,
    );
};

/** Whether the values of a column lie together within each day of a table. */
export const followsDay = (table: DayTable, by: Dimension): boolean => {
  const columns: readonly (Dimension | 'day')[] = tables[table];
  return columns.indexOf(by) === columns.indexOf('day') + 1;
};

/** Whether a table has one row of each value of a column on each day, once the filtered columns are given. */
export const hasOneRowADay = (
  table: DayTable,
  { filtered, by }: { readonly filtered: ReadonlySet<Dimension>; readonly by: Dimension },
): boolean => tables[table].every((column) => column === 'day' || column === by || filtered.has(column));

const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens'] as const;

/** Adds an hour to its day. */
const addHour = (table: DayTable, hour: number): RawBuilder<unknown> => {
  const columns = tables[table];
  const day = sql.lit(Math.floor(hour / hoursPerDay));
  const read = columns.map((column) => (column === 'day' ? sql`${day} as day` : sql.ref(column)));
  const grouped = columns.filter((column) => column !== 'day').map((column) => sql.ref(column));
  const added = sums.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  return sql`
    insert into ${sql.table(table)} (${sql.join([...columns, ...sums].map((column) => sql.ref(column)))})
    select ${sql.join([...read, ...sums.map((name) => sql`sum(${sql.ref(name)})`)])}
      from log_hours where hour = ${sql.lit(hour)} group by ${sql.join(grouped)}
    on conflict (${sql.join(columns.map((column) => sql.ref(column)))}) do update set ${sql.join(added)}`;
};

/** The summing begins at the first hour of the log, or now. Of several nodes one writes both facts. */
const begin = async (trx: Transaction<Schema>, before: number): Promise<void> => {
  const { first } = await trx
    .selectFrom('log_hours')
    .select((eb) => eb.fn.min<number | null>('hour').as('first'))
    .executeTakeFirstOrThrow();
  const next = Math.min(first ?? before, before);
  const facts = { [keys.from]: Math.ceil(next / hoursPerDay), [keys.next]: next };
  await trx
    .insertInto('instance')
    .values(Object.entries(facts).map(([key, value]) => ({ key, value: String(value) })))
    .onConflict((on) => on.column('key').doNothing())
    .execute();
};

/** The next hour from `hour` on in which there was anything, or `before`. */
const nextHour = async (trx: Transaction<Schema>, { hour, before }: { hour: number; before: number }) => {
  const found = await trx
    .selectFrom('log_hours')
    .select('hour')
    .where('hour', '>=', hour)
    .where('hour', '<', before)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst();
  return found?.hour ?? before;
};

/**
 * Adds the next hour to the sums by day, in one transaction: killed at any point, it is added once. Hours from `before`
 * on are not closed yet. False: there is none left. On several nodes each hour is taken by one.
 */
export const sumNextHour = (db: Database, before: number): Promise<boolean> =>
  db.write.transaction().execute(async (trx) => {
    const state = await lockState(trx, db.kind);
    if (state === undefined) {
      await begin(trx, before);
      return true;
    }
    const hour = await nextHour(trx, { hour: Math.max(state.next, state.from * hoursPerDay), before });
    if (hour >= before) {
      if (state.next < before) await write(trx, keys.next, before);
      return false;
    }
    for (const table of dayTables) await addHour(table, hour).execute(trx);
    await write(trx, keys.next, hour + 1);
    return true;
  });

/** Before rows of a day are deleted: from now on that day and all earlier ones are read by the hour. */
export const leaveDays = (db: Database, day: number): Promise<void> =>
  db.write.transaction().execute(async (trx) => {
    const state = await lockState(trx, db.kind);
    if (state !== undefined && state.from <= day) await write(trx, keys.from, day + 1);
  });

/** Whether the requests of a day are those of its hours: a row that came hours late would be missing. */
const agrees = async (trx: Transaction<Schema>, day: number): Promise<boolean> => {
  const of = (table: 'log_days' | 'log_hours') =>
    trx.selectFrom(table).select((eb) => eb.fn.coalesce(eb.fn.sum<number>('requests'), eb.lit(0)).as('requests'));
  const [byDay, byHour] = await Promise.all([
    of('log_days').where(sql.ref('day'), '=', day).executeTakeFirstOrThrow(),
    of('log_hours')
      .where(sql.ref('hour'), '>=', day * hoursPerDay)
      .where(sql.ref('hour'), '<', (day + 1) * hoursPerDay)
      .executeTakeFirstOrThrow(),
  ]);
  return Number(byDay.requests) === Number(byHour.requests);
};

/** Reads the newest days by the hour again where their sums do not agree with their hours. */
export const checkNewestDays = async (db: Database, days: number): Promise<void> => {
  const { from, before } = await readSummedDays(db.read);
  for (let day = before - 1; day >= Math.max(from, before - days); day -= 1) {
    const holds = await db.write.transaction().execute((trx) => agrees(trx, day));
    if (!holds) return leaveDays(db, day);
  }
};

/** Rows that go in one statement. */
const rowsAtOnce = 5000;

/** Deletes some of the sums of days that nothing reads any more. False: none are left. */
export const deleteLeftDays = async (db: Database): Promise<boolean> => {
  const { from } = await readSummedDays(db.read);
  let left = false;
  for (const table of dayTables) {
    const columns = sql.join(tables[table].map((column) => sql.ref(column)));
    const gone = await sql`delete from ${sql.table(table)} where (${columns}) in
      (select ${columns} from ${sql.table(table)} where day < ${sql.lit(from)} limit ${sql.lit(rowsAtOnce)})`.execute(
      db.write,
    );
    left ||= Number(gone.numAffectedRows ?? 0) === rowsAtOnce;
  }
  return left;
};
