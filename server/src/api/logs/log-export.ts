import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportLogs, exportOwnLogs, type Log, logType } from '@weir/contract/logs';
import { route, type Routes } from '../../http/route.ts';
import type { LogFilter } from '../../store/logs/log-filter.ts';
import type { LogKey } from '../../store/logs/logs.ts';
import { findUserId } from '../../store/users/users.ts';
import { readLogAccount } from '../teams/team-access.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import { type LogView, readNextLogs } from './log-records.ts';
import { toFilter } from './log-wire.ts';

/** Rows read, and sent, at a time: fewer cost more for each, more keep calls waiting for longer than 3 ms. */
const rowsAtOnce = 500;
/** Of the time that a piece took, before the next is read. */
const pause = 0.5;

const shared = ['type', 'token_name', 'model_name', 'prompt_tokens', 'completion_tokens', 'quota'] as const;
const last = ['elapsed_time', 'is_stream', 'content', 'request_id', 'id'] as const;
const allMembers = ['created_at', 'channel', 'channel_name', 'username', ...shared, ...last] as const;
const ownMembers = ['created_at', ...shared, ...last] as const;

const timeText = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

interface Format {
  readonly type: string;
  readonly head: string;
  readonly line: (log: Log) => string;
}

type Member = Exclude<keyof Log, 'refusal' | 'run' | 'cost'>;

interface CsvOptions {
  readonly type: number;
  /** The own account: without what the calls cost. */
  readonly own: boolean;
  readonly quotaPerDollar: number;
}

/**
 * Members as on the wire, with the time and the cost in units that their heads name, and the run and its step (empty:
 * none); of refused calls with their rule, which belong to no run.
 */
const csvOf = (members: readonly Member[], { type, own, quotaPerDollar }: CsvOptions): Format => {
  const refused = type === logType.refused;
  const ofRefusal = ({ refusal }: Log) => (refused ? [refusal?.status ?? 0, refusal?.rule ?? ''] : []);
  const ofCost = ({ cost }: Log) => (own ? [] : [cost ?? '']);
  const ofRun = ({ run }: Log) => (refused ? [] : [run?.id ?? '', run?.step ?? '']);
  const valuesOf = (log: Log) => [
    ...members.map((member) => log[member]),
    ...ofRefusal(log),
    ...ofCost(log),
    ...ofRun(log),
  ];
  const heads = [
    ...members,
    ...(refused ? ['status', 'rule'] : []),
    ...(own ? [] : ['vendor_cost_usd']),
    ...(refused ? [] : ['run', 'run_step']),
  ];
  return {
    type: 'text/csv; charset=utf-8',
    head: byteOrderMark + csvLine(['time_utc', 'cost_usd', ...heads]),
    line: (log) => csvLine([timeText(log.created_at), (log.quota / quotaPerDollar).toFixed(6), ...valuesOf(log)]),
  };
};
export const jsonl: Format = {
  type: 'application/jsonl; charset=utf-8',
  head: '',
  line: (log) => `${JSON.stringify(log)}\n`,
};

interface Exported extends Omit<LogView, 'filter'> {
  /** Undefined: no user has the requested name. */
  readonly filter: LogFilter | undefined;
  readonly format: Format;
}

/**
 * The file piece by piece: the next rows are read when the reader has taken the ones before. A pause behind each leaves
 * a third of a reader of the database to other queries, and grows with what else this process does: a piece takes
 * longer then.
 */
const pieces = async function* ({ filter, format, ...view }: Exported): AsyncGenerator<string> {
  yield format.head;
  let after: LogKey | undefined;
  while (filter !== undefined) {
    const started = performance.now();
    const logs = await readNextLogs({ ...view, filter }, { after, limit: rowsAtOnce });
    const text = logs.map(format.line).join('');
    const spent = performance.now() - started;
    if (text !== '') yield text;
    if (logs.length < rowsAtOnce) return;
    after = logs.at(-1);
    await sleep(spent * pause);
  }
};

/** The file as a stream that reads on as far as it is read from. */
export const logFile = (exported: Exported): Readable =>
  Readable.from(pieces(exported), { objectMode: false, highWaterMark: 16 * 1024 });

const fileOf = (exported: Exported, kind: 'csv' | 'jsonl') => ({
  file: { type: exported.format.type, name: `logs.${kind}`, content: logFile(exported) },
});

/** The log as a file. */
export const logExportRoutes = (routes: Routes): void => {
  const { db, options } = routes.deps;
  const formatOf = ({ format, type }: { readonly format: string; readonly type: number }, own: boolean) =>
    format === 'csv'
      ? csvOf(own ? ownMembers : allMembers, { type, own, quotaPerDollar: options.get('QuotaPerUnit') })
      : jsonl;
  route(routes, exportLogs, async ({ query }) => {
    const userId = query.username === '' ? 0 : await findUserId(db.read, query.username);
    const filter = userId === undefined ? undefined : toFilter(query, userId);
    return fileOf({ db, filter, format: formatOf(query, false), own: false }, query.format);
  });
  route(routes, exportOwnLogs, async ({ query, actor }) => {
    const filter = toFilter(query, await readLogAccount(db.read, query, actor));
    return fileOf({ db, filter, format: formatOf(query, true), own: true }, query.format);
  });
};
