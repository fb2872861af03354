import { useKey, type NewEntry, type RowChanges } from '../../ledger/accounts-state.ts';
import { emptyEntry } from '../../ledger/posting-work.ts';
import { emptyLog, logColumns, type NewLog } from '../../logs/log-columns.ts';

/** Of the ledger's entry of a call, beside what its log row has. */
const entryColumns = ['unrecovered', 'price_version', 'estimated', 'budgets'] as const;

/** The value of each column of a charge that the first row of a batch leaves out. */
export const leftOut: Readonly<Record<string, string | number>> = { ...emptyEntry, ...emptyLog };

/** Columns of an entry of the ledger and of the row of the log that reports it, each once. */
export const chargeColumns: readonly string[] = [...logColumns, ...entryColumns];

/** Whether the entry follows from its log row and its own columns. */
const reports = (log: NewLog, entry: NewEntry): boolean =>
  entry.kind === 'use' &&
  entry.op_key === useKey(log.request_id) &&
  entry.request_id === log.request_id &&
  entry.user_id === log.user_id &&
  entry.token_id === log.token_id &&
  entry.channel_id === log.channel_id &&
  entry.amount === log.quota &&
  entry.created_at === log.created_at &&
  entry.actor_id === emptyEntry.actor_id &&
  entry.reason === emptyEntry.reason;

type ChargeRow = Readonly<Record<string, string | number>>;

/** What is not as `usual`: parsing a member takes PostgreSQL half a microsecond. */
const chargeRow = (log: NewLog, entry: NewEntry, usual: ChargeRow): ChargeRow => {
  const row: Record<string, string | number> = {};
  const put = (column: string, value: string | number) => {
    if (value !== usual[column]) row[column] = value;
  };
  for (const column of logColumns) put(column, log[column]);
  for (const column of entryColumns) put(column, entry[column]);
  return row;
};

interface EnteredEntries {
  /** Entries with their log rows, in the columns of a charge. All but the first have what differs from it. */
  readonly charges: readonly ChargeRow[];
  /** The others. */
  readonly ledger: readonly NewEntry[];
  readonly logs: readonly NewLog[];
}

/** Puts the entry of each call and its log row together: they share most columns, and one statement writes both. */
export const pairCharges = ({ ledger, logs }: Pick<RowChanges, 'ledger' | 'logs'>): EnteredEntries => {
  const logOf = new Map(logs.map((log) => [log.request_id, log]));
  const paired = new Set<NewLog>();
  const charges: ChargeRow[] = [];
  let usual = leftOut;
  const others = ledger.filter((entry) => {
    const log = logOf.get(entry.request_id);
    if (log === undefined || !reports(log, entry)) return true;
    paired.add(log);
    const row = chargeRow(log, entry, usual);
    if (charges.length === 0) usual = { ...leftOut, ...row };
    charges.push(row);
    return false;
  });
  return { charges, ledger: others, logs: paired.size === logs.length ? [] : logs.filter((log) => !paired.has(log)) };
};

/** PostgreSQL takes no zero byte in text, and a client may send one in a model name. */
const toJson = (value: object): string => {
  const text = JSON.stringify(value);
  if (!text.includes('\\u0000')) return text;
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.replaceAll('\0', '') : each));
};

const hourOrder = (row: RowChanges['hours'][number]): string =>
  [row.hour, row.user_id, row.channel_id, row.token_id, row.token_name, row.model_name].join('\n');

/** What a batch of a node enters: entries of the ledger, rows of the log and its hourly sums, and the use of channels. */
export const enteredRows = (changes: RowChanges, node: string) => ({
  ...pairCharges(changes),
  channels: Array.from(changes.channels, ([channel_id, used]) => ({ channel_id, node, used })),
  hours: changes.hours.toSorted((one, other) => (hourOrder(one) < hourOrder(other) ? -1 : 1)),
});

/** The parameters of a part: its rows, and for charges what they have in common. */
export const parametersOf = (part: string, rows: readonly object[]): readonly string[] => {
  if (part !== 'charges') return [toJson(rows)];
  const [usual = {}, ...others] = rows;
  return [toJson([{}, ...others]), toJson(usual)];
};
