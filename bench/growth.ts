/**
 * Cost of a relayed call on a gateway with much data and on an empty one, and the start time and the exports of the larger
 * one: ten million log rows, a million tokens, a thousand channels on SQLite.
 *
 *   node bench/growth.ts --keep DIR [--rounds N] [--write]
 *
 * DIR is the directory of `bench/log-scale.ts --keep DIR`, and is created if missing; it is copied (6 GB) and not
 * changed. The process under test runs alone on core 0; both databases run in turn. Needs Linux and a C compiler.
 */
import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { signInTo } from '../server/test/clients/management-client.ts';
import { rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { createPasswords } from '../server/src/http/passwords/passwords.ts';
import { circumstances, keepResult } from './circumstances.ts';
import { median } from './median.ts';
import { model, startMock, upstreamKey } from './contestant.ts';
import { seed } from './log-scale-seed.ts';
import { load, type LoadResult } from './native/native.ts';

const channels = 1000;
const { values } = parseArgs({
  options: { keep: { type: 'string' }, rounds: { type: 'string', default: '3' }, write: { type: 'boolean' } },
});
const rounds = Number(values.rounds);
if (values.keep === undefined) throw new Error('--keep DIR names the directory of the grown database');
const kept = values.keep;

const loadArgs = ['-c', '256', '-d', '4', '-w', '5'];
const secret = { SECRET_KEY: 'a key that this run alone will ever know' };

/** Adds the missing channels to the copy, and gives its first account a password and quota for all calls. */
const prepare = async (file: string): Promise<string> => {
  const database = new DatabaseSync(file);
  const columns = database
    .prepare(`select name from pragma_table_info('channels') where name not in ('id', 'name')`)
    .all()
    .map(({ name }) => `"${String(name)}"`)
    .join(', ');
  const had = Number(database.prepare('select count(*) as count from channels').get()?.['count']);
  database.exec(`insert into channels (name, ${columns})
    with recursive numbers (n) as (select ${had + 1} union all select n + 1 from numbers where n < ${channels})
    select 'Channel ' || n, ${columns} from numbers join channels on channels.id = 1 + n % ${had}`);
  const { hash } = createPasswords();
  database
    .prepare('update users set password_hash = ?, available = 1000000000000 where id = 1')
    .run(await hash(rootPassword));
  const username = String(database.prepare('select username from users where id = 1').get()?.['username']);
  database.close();
  return username;
};

interface Instance {
  readonly dataDir: string;
  readonly username: string;
}

interface Served {
  readonly result: LoadResult;
  /** Milliseconds from the start of the process to the answer of its first call. */
  readonly firstMs: number;
}

/** Creates a key for the calls, and the channel that serves them. */
const keyFor = async (url: string, { username }: Instance, upstreamPort: number): Promise<string> => {
  const root = await signInTo(url, username, rootPassword);
  const base_url = `http://127.0.0.1:${upstreamPort}`;
  const channel = { type: 8, name: 'bench', key: upstreamKey, base_url, models: model, group: 'default' };
  await root.call('POST', '/api/channel/', channel);
  const token = await root.call<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true });
  return `sk-${token.key}`;
};

const start = ({ dataDir }: Instance) => startServer({ dataDir, env: secret, prefix: ['taskset', '-c', '0'] });

const callOnce = async (url: string, key: string): Promise<void> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  });
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
};

const measure = async (instance: Instance, key: string): Promise<Served> => {
  const began = performance.now();
  const server = await start(instance);
  try {
    await callOnce(server.url, key);
    const firstMs = performance.now() - began;
    const target = [
      '-p',
      String(server.pid),
      '-m',
      model,
      '-k',
      key,
      '-l',
      'growth',
      `${server.url}/v1/chat/completions`,
    ];
    return { firstMs, result: await load([...loadArgs, ...target]) };
  } finally {
    await server.stop('SIGTERM');
  }
};

/** Creates the key, in a separate run of the server. */
const setUp = async (instance: Instance, upstreamPort: number): Promise<string> => {
  const server = await start(instance);
  try {
    return await keyFor(server.url, instance, upstreamPort);
  } finally {
    await server.stop('SIGTERM');
  }
};

const exportMs = 5000;
const exportQueries = ['format=csv', 'format=jsonl', 'format=csv&model_name=model-3', 'format=csv&username=m000001'];

/** Reads a file of the log for some seconds. */
const exportFor = async (url: string, authorization: string, query: string) => {
  const stop = AbortSignal.timeout(exportMs);
  const response = await fetch(`${url}/api/log/export?${query}`, { headers: { authorization }, signal: stop });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status} for an export`);
  const began = performance.now();
  let [bytes, rows] = [0, 0];
  try {
    for await (const piece of response.body) {
      bytes += piece.length;
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows += 1;
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  const seconds = (performance.now() - began) / 1000;
  return { query, rowsPerSecond: Math.round(rows / seconds), mbPerSecond: Number((bytes / 1e6 / seconds).toFixed(1)) };
};

/** Exports of a gateway that has both cores, and nothing else to do. */
const measureExports = async ({ dataDir, username }: Instance) => {
  const server = await startServer({ dataDir, env: secret });
  try {
    const root = await signInTo(server.url, username, rootPassword);
    const token = await root.call<string>('GET', '/api/user/token');
    const exports = [];
    for (const query of exportQueries) exports.push(await exportFor(server.url, token, query));
    return exports;
  } finally {
    await server.stop('SIGTERM');
  }
};

const before = circumstances();
const dir = mkdtempSync(join(tmpdir(), 'weir-growth-'));
const mock = await startMock([]);
try {
  mkdirSync(kept, { recursive: true });
  const scale = { logs: 10_000_000, users: 100_000, tokens: 1_000_000, codes: 100_000, channels: 200 };
  if (!existsSync(join(kept, 'weir.db'))) await seed({ dataDir: kept, databaseUrl: undefined }, scale);
  const folders = { empty: join(dir, 'empty'), grown: join(dir, 'grown') };
  mkdirSync(folders.grown);
  copyFileSync(join(kept, 'weir.db'), join(folders.grown, 'weir.db'), constants.COPYFILE_FICLONE);
  const grown: Instance = { dataDir: folders.grown, username: await prepare(join(folders.grown, 'weir.db')) };
  const empty: Instance = { dataDir: folders.empty, username: 'root' };
  const keys = { empty: await setUp(empty, mock.port), grown: await setUp(grown, mock.port) };
  const served: Record<'empty' | 'grown', Served[]> = { empty: [], grown: [] };
  for (let round = 0; round < rounds; round += 1) {
    served.empty.push(await measure(empty, keys.empty));
    served.grown.push(await measure(grown, keys.grown));
  }
  const figuresOf = (of: readonly Served[]) => ({
    cpuUs: Number(median(of.map(({ result }) => result.sut_cpu_us_per_req)).toFixed(1)),
    perSecond: Math.round(median(of.map(({ result }) => result.rps))),
    firstMs: Math.round(median(of.map(({ firstMs }) => firstMs))),
    failed: of.reduce((sum, { result }) => sum + result.errors + result.non200, 0),
  });
  const figures = { empty: figuresOf(served.empty), grown: figuresOf(served.grown) };
  const growth = Number((figures.grown.cpuUs / figures.empty.cpuUs).toFixed(3));
  const exports = await measureExports(grown);
  const result = {
    ...before,
    rounds,
    ...scale,
    channels,
    ...figures,
    growth,
    exports,
    bars: { growth: 1.15, firstMs: 1500 },
  };
  console.log(JSON.stringify(result, null, 2));
  if (values.write === true) keepResult('growth', result);
  process.exitCode = figures.empty.failed + figures.grown.failed === 0 ? 0 : 1;
} finally {
  mock.child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
