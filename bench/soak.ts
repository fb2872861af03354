/**
 * Mixed traffic for a long time: 400 calls a second of 1 KB, 80 of 64 KB, 20 streams of a second begun each second, and once a minute
 * an export of the log and the lists of the console. Memory must not grow and no handle may stay.
 *
 *   node bench/soak.ts [minutes]
 *
 * The first quarter is the warm-up: the heap grows to its working size. Growth is that of the mean of the last third of
 * what follows over the mean of its first third. Stored in `bench/results/soak.json` with its length.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInTo } from '../server/test/clients/management-client.ts';
import { rootPassword } from '../server/test/processes/server-process.ts';
import { openReadOnly } from '../server/src/store/engine/read-only.ts';
import { verifyLedger } from '../server/src/store/ledger/verify.ts';
import { circumstances, keepResult } from './circumstances.ts';
import { model, startMock, startWeir } from './contestant.ts';
import { load } from './native/native.ts';

const minutes = Number(process.argv[2] ?? 45);
const seconds = Math.round(minutes * 60);
const sampleSeconds = 5;
const growthMax = 0.01;

await using ends = new AsyncDisposableStack();
const before = circumstances();
const folder = mkdtempSync(join(tmpdir(), 'weir-soak-'));
ends.defer(() => rmSync(folder, { recursive: true, force: true }));
const mock = await startMock(['-n', '100', '-i', '10000']);
ends.defer(() => void mock.child.kill('SIGKILL'));
const weir = await startWeir(mock.port, folder);
const root = await signInTo(weir.url, 'root', rootPassword);
const authorization = await root.call<string>('GET', '/api/user/token');

interface Sample {
  readonly rssMb: number;
  readonly heapMb: number;
  readonly handles: number;
  readonly files: number;
}

const readSample = async (): Promise<Sample> => {
  const text = await (await fetch(`${weir.url}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} ([\\d.e+]+)`, 'm').exec(text)?.[1]);
  return {
    rssMb: of('process_resident_memory_bytes') / 2 ** 20,
    heapMb: of('nodejs_heap_size_used_bytes') / 2 ** 20,
    handles: of('nodejs_active_handles_total'),
    files: of('process_open_fds'),
  };
};

const send = (args: readonly string[]) =>
  load([
    ...args,
    '-d',
    String(seconds),
    '-w',
    '0',
    '-m',
    model,
    '-k',
    weir.key,
    '-l',
    'soak',
    `${weir.url}/v1/chat/completions`,
  ]);

let isRunning = true;
let exports = 0;
const operate = async (): Promise<void> => {
  while (isRunning) {
    const since = Math.floor(Date.now() / 1000) - 60;
    await fetch(`${weir.url}/api/log/export?format=jsonl&start_timestamp=${since}`, {
      headers: { authorization },
    }).then((answer) => answer.arrayBuffer());
    for (const path of ['/api/log/?p=0', '/api/log/stat', '/api/channel/?p=0', '/api/token/?p=0', '/api/user/?p=0'])
      await root.call('GET', path);
    exports += 1;
    for (let waited = 0; isRunning && waited < 60; waited += 1) await sleep(1000);
  }
};

const idle = await readSample();
const samples: Sample[] = [];
const sampling = (async () => {
  while (isRunning) {
    await sleep(sampleSeconds * 1000);
    samples.push(await readSample());
  }
})();
const operating = operate();
const loads = await Promise.all([
  send(['-c', '64', '-r', '400']),
  send(['-c', '32', '-r', '80', '-B', '65536']),
  send(['-c', '64', '-r', '20', '-S']),
]);
isRunning = false;
await Promise.all([sampling, operating]);
// Kept connections of the load end with it; idle ones towards the upstream after their time.
await sleep(20_000);
const after = await readSample();
await weir.stop();

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const steady = samples.slice(Math.floor(samples.length / 4));
const third = Math.floor(steady.length / 3);
const growthOf = (read: (sample: Sample) => number): number =>
  mean(steady.slice(-third).map(read)) / mean(steady.slice(0, third).map(read)) - 1;
const db = openReadOnly({ dataDir: join(folder, 'data') });
const { findings, figures } = await verifyLedger(db);
await db.close();

const result = {
  what: '400 calls a second of 1 KB, 80 of 64 KB, 20 streams of a second begun each second, exports and lists each minute; SQLite',
  ...before,
  minutes,
  answered: loads.reduce((sum, { ok }) => sum + ok, 0),
  failed: loads.reduce((sum, { errors, non200 }) => sum + errors + non200, 0),
  exports,
  growth: {
    rss: Number(growthOf(({ rssMb }) => rssMb).toFixed(4)),
    heap: Number(growthOf(({ heapMb }) => heapMb).toFixed(4)),
  },
  mostRssMb: Math.round(Math.max(...samples.map(({ rssMb }) => rssMb))),
  handles: { before: idle.handles, after: after.handles },
  files: { before: idle.files, after: after.files },
  ledger: { findings: findings.length, entries: figures.entries, openHolds: figures.holds },
};
keepResult('soak', result);
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
if (result.failed > 0 || findings.length > 0 || result.growth.rss > growthMax) process.exitCode = 1;
