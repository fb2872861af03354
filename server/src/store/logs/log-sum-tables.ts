export const hoursPerDay = 24;

/** Columns of each table of days in the order of its key; tables of few rows come first. */
const dayKeys = {
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
export type DayTable = keyof typeof dayKeys;
/** Columns of the hourly sums; a token's id is in no day table. */
export type Dimension = Exclude<(typeof dayKeys)[DayTable][number], 'day'> | 'token_id';
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

/** Columns of each table of hours by name in the order of its key. */
const hourKeys = {
  log_hours_of_all: ['hour'],
  log_hours_of_models: ['hour', 'model_name'],
  log_hours_of_channels: ['hour', 'channel_id'],
  log_hours_of_tokens: ['hour', 'token_name'],
  log_hours_of_users: ['hour', 'user_id'],
} as const;
export type HourTable = keyof typeof hourKeys;
export const hourTables = [
  'log_hours_of_all',
  'log_hours_of_models',
  'log_hours_of_channels',
  'log_hours_of_tokens',
  'log_hours_of_users',
] as const satisfies HourTable[];

/** A table of sums that is made of `log_hours`. */
export type SumTable = DayTable | HourTable;
export const keyOf: { readonly [Table in SumTable]: readonly (Dimension | 'hour' | 'day')[] } = {
  ...dayKeys,
  ...hourKeys,
};

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
    const columns: readonly (Dimension | 'day')[] = dayKeys[table];
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
  const [first, second, ...more]: readonly (Dimension | 'day')[] = dayKeys[table];
  return first === 'day' && second !== undefined && second !== 'day' && filtered.has(second) && more.length === 0;
};

/** The table from which the total of a filter is read. Undefined: none has every filtered column. */
export const totalsTableFor = (filtered: ReadonlySet<Dimension>): DayTable | undefined =>
  (filtered.size === 1 ? dayTables.find((table) => hasRowADay(table, filtered)) : undefined) ??
  dayTableFor({ filtered });

/** The table of hours by name for sums of all calls by a column. Undefined: none is, or calls are filtered. */
export const hourTableFor = ({
  filtered,
  by,
}: {
  readonly filtered: ReadonlySet<Dimension>;
  readonly by?: Dimension;
}): HourTable | undefined => (filtered.size > 0 ? undefined : hourTables.find((table) => keyOf[table][1] === by));

/**
 * Whether the values of a column are found within each day or hour of a table alone: `log_days` has an index for each column.
 */
export const followsPeriod = (table: SumTable, by: Dimension): boolean => {
  const columns = keyOf[table];
  return (
    table !== 'log_days' &&
    columns.indexOf(by) === columns.findIndex((column) => column === 'day' || column === 'hour') + 1
  );
};
