/** The cost of a call of which no list price is known. */
export const unknownCost = -1;

/**
 * Every column of a log row but its id, in the order in which values are sent to the writer thread and bound, each with
 * its empty value. The row type, the table's type, the codec, the SQL of both databases and the bound values derive
 * from this list; a column that is missing in one of the functions below does not compile.
 */
const list = [
  ['user_id', 0],
  /** Unix seconds. */
  ['created_at', 0],
  /** One of the contract's `logType`. */
  ['type', 0],
  ['content', ''],
  ['username', ''],
  ['token_id', 0],
  ['token_name', ''],
  ['model_name', ''],
  /** Quota units charged. */
  ['quota', 0],
  ['prompt_tokens', 0],
  ['completion_tokens', 0],
  ['channel_id', 0],
  ['request_id', ''],
  /** Milliseconds. */
  ['elapsed_time', 0],
  /** 0 or 1. */
  ['is_stream', 0],
  /** 0 or 1. */
  ['system_prompt_reset', 0],
  /** JSON object text: ratios, parts and attempts of the charge. */
  ['detail', ''],
  /** What the vendor charges for the call by its list price, in nano-dollars; -1: not known. */
  ['cost', unknownCost],
  /** The run that the call belongs to; 0: none. */
  ['run_id', 0],
  /** Where in the run's work; empty: at the top. */
  ['run_step', ''],
] as const;

type Entry = (typeof list)[number];
type LogColumn = Entry[0];
export type LogColumns = { [Column in Entry as Column[0]]: Column[1] extends '' ? string : number };

/** A log row to insert; the database gives it its id. */
export type NewLog = Readonly<LogColumns>;

export const logColumns: readonly LogColumn[] = list.map(([name]) => name);
export const logTextColumns: readonly LogColumn[] = list.filter(([, empty]) => empty === '').map(([name]) => name);

/** The type that a row has in a column. Deferred while `Row` is generic, which makes every column a type of its own. */
type Value<Row, Column extends LogColumn> = Row extends Record<Column, infer Found> ? Found : never;
type ByName<Row> = { readonly [Column in LogColumn]: Value<Row, Column> };
type InOrder<List extends readonly (readonly [LogColumn, unknown])[], Row> = {
  readonly [Index in keyof List]: Value<Row, List[Index][0]>;
};
type LogValues<Row> = InOrder<typeof list, Row>;

/** Spelled out for speed, and generic so that the compiler checks every column and their order. */
const toValues = <Row>(row: ByName<Row>): LogValues<Row> => [
  row.user_id,
  row.created_at,
  row.type,
  row.content,
  row.username,
  row.token_id,
  row.token_name,
  row.model_name,
  row.quota,
  row.prompt_tokens,
  row.completion_tokens,
  row.channel_id,
  row.request_id,
  row.elapsed_time,
  row.is_stream,
  row.system_prompt_reset,
  row.detail,
  row.cost,
  row.run_id,
  row.run_step,
];

/** The inverse, checked in the same way. */
const toRow = <Row>([
  user_id,
  created_at,
  type,
  content,
  username,
  token_id,
  token_name,
  model_name,
  quota,
  prompt_tokens,
  completion_tokens,
  channel_id,
  request_id,
  elapsed_time,
  is_stream,
  system_prompt_reset,
  detail,
  cost,
  run_id,
  run_step,
]: LogValues<Row>): ByName<Row> => ({
  user_id,
  created_at,
  type,
  content,
  username,
  token_id,
  token_name,
  model_name,
  quota,
  prompt_tokens,
  completion_tokens,
  channel_id,
  request_id,
  elapsed_time,
  is_stream,
  system_prompt_reset,
  detail,
  cost,
  run_id,
  run_step,
});

/** The values of a row in the order of the list. */
export const logValues = (row: NewLog): LogValues<NewLog> => toValues<NewLog>(row);

const isText = list.map(([, empty]) => empty === '');

const areValues = (values: readonly unknown[]): values is LogValues<NewLog> =>
  values.length === isText.length &&
  values.every((value, index) => typeof value === (isText[index] === true ? 'string' : 'number'));

/** Throws where the values are not those of a row. */
export const readLogValues = (values: readonly unknown[]): NewLog => {
  if (!areValues(values)) throw new TypeError('The values are not those of a log row');
  return toRow<NewLog>(values);
};

/** A row with every column empty. */
export const emptyLog: NewLog = readLogValues(list.map(([, empty]) => empty));
