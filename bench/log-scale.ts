/**
 * Time of lists, filters, totals and searches over ten million log rows, a million tokens and a hundred thousand users
 * on SQLite: `node bench/log-scale.ts [--keep DIR] [--write [--note TEXT]]`. Seeds about 7 GB into a directory that is
 * removed afterwards; `--keep DIR` seeds DIR once and keeps it. `--note` adds a remark about the run to the report.
 *
 * `--postgres URL` seeds the empty database of that address instead, and keeps it; `--rows 100000000` for more rows.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openDatabase } from '../server/src/store/open-database.ts';
import type { Database } from '../server/src/store/database.ts';
import { listChannels, searchChannels } from '../server/src/store/channels/channels.ts';
import { countByTime } from '../server/src/store/logs/log-counts.ts';
import { everything, type LogFilter } from '../server/src/store/logs/log-filter.ts';
import type { Dimension } from '../server/src/store/logs/log-sum-tables.ts';
import { sumModelDays } from '../server/src/store/logs/log-hours.ts';
import { searchLogs } from '../server/src/store/logs/log-search.ts';
import { sumNamedBuckets } from '../server/src/store/logs/log-sums.ts';
import { listLogs, readLogs, sumLogs } from '../server/src/store/logs/logs.ts';
import { listRedemptions, searchRedemptions } from '../server/src/store/redemptions.ts';
import { listTokens, searchTokens } from '../server/src/store/tokens.ts';
import { listUsers, searchUsers } from '../server/src/store/users/user-list.ts';
import { seed, seededFrom, seededUntil } from './log-scale-seed.ts';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    postgres: { type: 'string' },
    rows: { type: 'string', default: '10000000' },
    write: { type: 'boolean' },
    note: { type: 'string', default: '' },
    only: { type: 'string' },
  },
});
const scale = { logs: Number(values.rows), users: 100_000, tokens: 1_000_000, codes: 100_000, channels: 200 };
const rounds = 20;
const limitMs = scale.logs > 10_000_000 ? 150 : 40;
const day = 86_400;
const hour = 3600;

/** One kind of query, with different values each time. */
interface Query {
  readonly group: string;
  readonly name: string;
  readonly run: (db: Database, round: number) => Promise<unknown>;
}

/** A new reader each time, so that no read continues from the cached position of an earlier one. */
let readers = 0;
const list = (db: Database, filter: Partial<LogFilter>, page = 0) =>
  listLogs(db, { filter: { ...everything, ...filter }, page, reader: (readers += 1) });

/** Accounts of all sizes, from the largest to a small one. */
const userIn = (round: number): number => 1 + Math.floor(scale.users * (round / rounds) ** 4);
const modelIn = (round: number): string => `model-${1 + Math.floor(40 * (round / rounds) ** 2)}`;
const keyIn = (round: number): string => (round % 2 === 0 ? 'default' : `key ${(userIn(round) * 7 + 3) % 5000}`);
const channelIn = (round: number): number => 1 + ((round * 37) % scale.channels);
/** Within the year, never on the hour. */
const momentIn = (round: number): number => seededFrom + Math.floor((0.1 + (0.8 * round) / rounds) * 365 * day) + 1234;

const filters: readonly (readonly [name: string, of: (round: number) => Partial<LogFilter>])[] = [
  ['no filter', () => ({})],
  ['type 2', () => ({ type: 2 })],
  ['type 1, 3, 4, 5', (round) => ({ type: [1, 3, 4, 5][round % 4] ?? 1 })],
  ['user', (round) => ({ userId: userIn(round) })],
  ['key', (round) => ({ tokenName: keyIn(round) })],
  ['model', (round) => ({ modelName: modelIn(round) })],
  ['channel', (round) => ({ channelId: channelIn(round) })],
  ['24 h', (round) => ({ start: momentIn(round), end: momentIn(round) + day })],
  ['30 days', (round) => ({ start: momentIn(round), end: momentIn(round) + 30 * day })],
  ['since', (round) => ({ start: momentIn(round) })],
  ['until', (round) => ({ end: momentIn(round) })],
  ['user, model', (round) => ({ userId: userIn(round), modelName: modelIn(rounds - 1 - round) })],
  ['user, 30 days', (round) => ({ userId: userIn(round), start: momentIn(round), end: momentIn(round) + 30 * day })],
  ['key, model', (round) => ({ tokenName: keyIn(round), modelName: modelIn(rounds - 1 - round) })],
  ['model, channel', (round) => ({ modelName: modelIn(round), channelId: channelIn(round) })],
  ['key, channel, until', (round) => ({ tokenName: keyIn(round), channelId: channelIn(round), end: momentIn(round) })],
  ['user, key, type 5', (round) => ({ userId: userIn(round), tokenName: 'default', type: 5 })],
  ['a model without rows', () => ({ modelName: 'unheard-of' })],
  ['a common key with a rare model', () => ({ tokenName: 'default', modelName: 'unheard-of' })],
];

const ofFilters: Query[] = filters.flatMap(([name, of]) => [
  { group: 'log, first page', name, run: (db, round) => list(db, of(round)) },
  { group: 'log, total', name, run: (db, round) => sumLogs(db, { ...everything, ...of(round) }) },
  {
    group: 'log, count by time',
    name,
    run: (db, round) => countByTime(db, { filter: { ...everything, ...of(round) }, now: seededUntil }),
  },
]);

const dimensions: readonly Dimension[] = ['model_name', 'token_name', 'channel_id', 'user_id'];
const usage = (db: Database, by: Dimension, userId: number, days: number) =>
  sumNamedBuckets(db, {
    filter: { ...everything, userId },
    span: { from: seededUntil - days * day + 17, before: seededUntil },
    step: days > 3 ? day : hour,
    by,
    top: 7,
  });

const queries: readonly Query[] = [
  ...ofFilters,
  { group: 'log', name: 'page 100 at once', run: (db) => list(db, {}, 100) },
  { group: 'log', name: 'page 500,000 at once', run: (db, round) => list(db, {}, 500_000 + round * 1001) },
  {
    group: 'log',
    name: 'page 1,000 of a model and 30 days',
    run: (db, round) =>
      list(db, { modelName: 'model-1', start: momentIn(round), end: momentIn(round) + 30 * day }, 1000 + round),
  },
  {
    group: 'log',
    name: 'page 10,000 of the largest account',
    run: (db, round) => list(db, { userId: 1 }, 10_000 + round),
  },
  {
    group: 'log',
    name: '200 rows of an export',
    run: (db, round) =>
      readLogs(db, {
        filter: { ...everything, modelName: modelIn(round) },
        after: { id: Number.MAX_SAFE_INTEGER, created_at: momentIn(round) },
        limit: 200,
      }),
  },
  { group: 'log', name: 'search: text', run: (db) => searchLogs(db, { userId: 0, keyword: 'channel Channel 77' }) },
  { group: 'log', name: 'search: type', run: (db, round) => searchLogs(db, { userId: 0, keyword: String(round % 6) }) },
  {
    group: 'log',
    name: 'search: request',
    run: (db, round) =>
      searchLogs(db, { userId: 0, keyword: `20260101000000${String(scale.logs - 1 - round * 41).padStart(19, '0')}` }),
  },
  {
    group: 'usage',
    name: 'seven days of one account, by model',
    run: (db, round) =>
      sumModelDays(db, { userId: userIn(round), from: seededUntil / hour - 168, before: seededUntil / hour }),
  },
  ...dimensions.flatMap((by) =>
    (by === 'model_name' || by === 'channel_id' ? [1, 7, 30, 365] : [1, 7, 30]).map((days) => ({
      group: 'usage',
      name: `all users, ${days} d, by ${by.replace(/_.*/, '')}`,
      run: (db: Database) => usage(db, by, 0, days),
    })),
  ),
  ...(['model_name', 'token_name'] as const).flatMap((by) =>
    [7, 30, 365].map((days) => ({
      group: 'usage',
      name: `one account, ${days} d, by ${by.replace(/_.*/, '')}`,
      run: (db: Database, round: number) => usage(db, by, userIn(round), days),
    })),
  ),
  ...(['', 'remain_quota', 'used_quota'] as const).map((order) => ({
    group: 'tokens of an account with 20,000',
    name: `first page, order ${order || 'newest'}`,
    run: (db: Database) => listTokens(db, { userId: 1, order, page: 0 }),
  })),
  {
    group: 'tokens of an account with 20,000',
    name: 'search',
    run: (db, round) => searchTokens(db, { userId: 1, keyword: `key ${round}` }),
  },
  ...(['', 'quota', 'used_quota', 'request_count'] as const).map((order) => ({
    group: 'users',
    name: `first page, order ${order || 'newest'}`,
    run: (db: Database) => listUsers(db, { order, page: 0, reader: (readers += 1) }),
  })),
  {
    group: 'users',
    name: 'page 5,000 at once',
    run: (db) => listUsers(db, { order: '', page: 5000, reader: (readers += 1) }),
  },
  { group: 'users', name: 'search', run: (db, round) => searchUsers(db, `person${round}`) },
  { group: 'users', name: 'search: one letter', run: (db) => searchUsers(db, 'k') },
  { group: 'redemptions', name: 'first page', run: (db) => listRedemptions(db, { page: 0, reader: (readers += 1) }) },
  { group: 'redemptions', name: 'search', run: (db, round) => searchRedemptions(db, `batch ${round}`) },
  { group: 'channels', name: 'first page', run: (db) => listChannels(db, { page: 0, reader: (readers += 1) }) },
  { group: 'channels', name: 'search', run: (db) => searchChannels(db, { keyword: 'channel 1', keyDigest: '' }) },
];

interface Figures {
  readonly query: Query;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds of processor time of all threads, which other programs on the machine do not change. */
  readonly cpu95: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;

const measure = async (db: Database, query: Query): Promise<Figures> => {
  const times: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    const started = performance.now();
    await query.run(db, round);
    times.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
  }
  const [sorted, used] = [times, processor].map((some) => some.toSorted((one, other) => one - other));
  return { query, p50: at(sorted ?? [], 0.5), p95: at(sorted ?? [], 0.95), cpu95: at(used ?? [], 0.95) };
};

interface Report {
  readonly bytes: number;
  /** The command that makes it. */
  readonly command: string;
  readonly title: string;
  readonly on: string;
}

const report = (figures: readonly Figures[], { bytes, command, title, on }: Report): string => {
  const rows = figures.map(
    ({ query, p50, p95, cpu95 }) =>
      `| ${query.group} | ${query.name} | ${p50.toFixed(1)} | ${p95 > limitMs ? `**${p95.toFixed(1)}**` : p95.toFixed(1)} | ${cpu95.toFixed(1)} |`,
  );
  const load = loadavg()
    .map((average) => average.toFixed(1))
    .join(', ');
  const number = (value: number) => value.toLocaleString('en');
  const within = (of: (figure: Figures) => number) => figures.filter((figure) => of(figure) <= limitMs).length;
  const [byClock, byProcessor] = [within(({ p95 }) => p95), within(({ cpu95 }) => cpu95)];
  const processor =
    values.postgres === undefined ? `, and ${byProcessor} in processor time, which is the time on an idle machine` : '';
  const note = values.note === '' ? '' : `, ${values.note}`;
  return `# ${title}

${number(scale.logs)} log rows over a year, ${number(scale.users)} users, ${number(scale.tokens)} tokens, ${number(scale.codes)} codes, ${scale.channels} channels on ${on}
(${(bytes / 1e9).toFixed(1)} GB), as the gateway reads them. ${rounds} queries of each kind with different values; milliseconds. ${cpus().length} cores
(${cpus()[0]?.model ?? 'unknown'}), load average ${load} at the end of the run${note}. The limit is ${limitMs} ms at p95: of ${figures.length} kinds
${byClock} are within it in elapsed time${processor}.
\`${command}\`

| what | query | p50 | p95 | processor, p95 |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
};

const title = 'Lists, filters, totals and searches at scale';
const command = 'node bench/log-scale.ts';

const ofPostgres = async (databaseUrl: string) => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const valueOf = async (query: string) => {
    const { rows } = await client.query<{ value: string | null }>(query);
    return rows[0]?.value ?? '';
  };
  return {
    isEmpty: async () => (await valueOf("select to_regclass('logs')::text as value")) === '',
    report: async (): Promise<Report> => ({
      bytes: Number(await valueOf('select pg_database_size(current_database())::text as value')),
      command: `${command} --postgres URL --rows ${scale.logs} --write`,
      title: `${title}, PostgreSQL`,
      on: `PostgreSQL ${await valueOf("select current_setting('server_version') as value")}`,
    }),
    file: scale.logs > 10_000_000 ? 'log-scale-postgres-large.md' : 'log-scale-postgres.md',
    close: () => client.end(),
  };
};

const ofSqlite = (dataDir: string) => {
  const file = join(dataDir, 'weir.db');
  return {
    isEmpty: async () => !existsSync(file),
    report: async (): Promise<Report> => ({
      bytes: statSync(file).size,
      command: `${command} --write`,
      title,
      on: 'SQLite',
    }),
    file: 'log-scale.md',
    close: async () => undefined,
  };
};

const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), 'weir-scale-'));
mkdirSync(dataDir, { recursive: true });
const place = { dataDir, databaseUrl: values.postgres };
const measured = values.postgres === undefined ? ofSqlite(dataDir) : await ofPostgres(values.postgres);
try {
  if (await measured.isEmpty()) await seed(place, scale);
  const db = await openDatabase(place);
  const figures: Figures[] = [];
  for (const query of queries) {
    if (values.only !== undefined && !`${query.group} ${query.name}`.includes(values.only)) continue;
    const found = await measure(db, query);
    figures.push(found);
    console.log(
      `${query.group.padEnd(34)} ${query.name.padEnd(36)} ${found.p50.toFixed(1).padStart(8)} ${found.p95.toFixed(1).padStart(8)} ${found.cpu95.toFixed(1).padStart(8)}`,
    );
  }
  await db.close();
  if (values.write === true)
    writeFileSync(join(import.meta.dirname, 'results', measured.file), report(figures, await measured.report()));
} finally {
  await measured.close();
  if (values.keep === undefined) rmSync(dataDir, { recursive: true });
}
