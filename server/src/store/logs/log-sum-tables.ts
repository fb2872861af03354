export const hoursPerDay = 24;

/** Columns of each table in the order of its key; tables of few rows come first. */
export const tables = {
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
