/**
 * Hours of mixed traffic through one gateway: 400 whole answers of 1 KB, 80 bodies of 64 KB and 20 streams a second, beside them
 * an export of the log each minute. Samples memory and open files of the process; at the end every answered call must
 * be charged and the books must agree.
 *
 *   node bench/soak.ts [minutes, default 45] [--write]
 *
 * Growth is the median of the last third beside that of the second: the first is warm-up. The process under test is alone on core
 * 0. Needs Linux with at least two cores and a C compiler.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInTo } from '../server/test/clients/management-client.ts';
import { rootPassword } from '../server/test/processes/server-process.ts';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';
import { booked, type Contestant, model, residentMb, startMock, startWeir } from './contestant.ts';
import { median } from './median.ts';
import { load, type LoadResult } from './native/native.ts';

const minutes = numberArgument(45);
const sampleMs = 5000;
const exportMs = 60_000;
/** A stream takes a second. */
const mockArgs = ['-n', '50', '-i', '20000'];
const kinds: readonly (readonly string[])[] = [
  ['-c', '64', '-r', '400'],
  ['-c', '32', '-r', '80', '-B', '65536'],
  ['-c', '100', '-r', '20', '-S'],
];
const growthMax = 0.01;
const warmUpSeconds = 10;
const restMs = 70_000;

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Bytes of the last minute's log as a file. */
const exportMinute = async (url: string, authorization: string): Promise<number> => {
  const since = Math.floor(Date.now() / 1000) - exportMs / 1000;
  const answer = await fetch(`${url}/api/log/export?start_timestamp=${since}`, { headers: { authorization } });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the export answered ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  return bytes;
};

/** Runs until the load has ended. */
const watch = async ({ url, pids: [pid = 0] }: Contestant, isOver: () => boolean) => {
  const root = await signInTo(url, 'root', rootPassword);
  const authorization = await root.call<string>('GET', '/api/user/token');
  const samples: number[] = [];
  let [exportedBytes, exports, due] = [0, 0, Date.now() + exportMs];
  while (!isOver()) {
    await sleep(sampleMs);
    samples.push(residentMb(pid));
    if (Date.now() < due) continue;
    due += exportMs;
    exportedBytes += await exportMinute(url, authorization);
    exports += 1;
  }
  return { samples, exports, exportedMb: Math.round(exportedBytes / 1e6) };
};

/** When connections that nothing uses any more are closed. */
const filesAtRest = async (pid: number): Promise<number> => {
  await sleep(restMs);
  return openFiles(pid);
};

const sendAll = ({ url, key }: Contestant, seconds: number): Promise<LoadResult[]> => {
  const common = ['-d', String(seconds), '-w', '0', '-m', model, '-k', key, '-l', 'soak', `${url}/v1/chat/completions`];
  return Promise.all(kinds.map((kind) => load([...kind, ...common])));
};

const soak = async (dir: string, port: number) => {
  const weir = await startWeir(port, dir);
  const [pid = 0] = weir.pids;
  try {
    const warmUp = await sendAll(weir, warmUpSeconds);
    const before = await filesAtRest(pid);
    let over = false;
    const sending = sendAll(weir, minutes * 60).finally(() => (over = true));
    const watched = await watch(weir, () => over);
    const results = [...warmUp, ...(await sending)];
    return { ...watched, results, files: { before, after: await filesAtRest(pid) } };
  } finally {
    await weir.stop();
  }
};

const before = circumstances();
const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
const mock = await startMock(mockArgs);
try {
  const { samples, results, files, ...exported } = await soak(dir, mock.port);
  const third = Math.floor(samples.length / 3);
  const [first, second, last] = [0, 1, 2].map((part) => median(samples.slice(part * third, (part + 1) * third)));
  const growth = Number(((last ?? 0) / (second ?? 1) - 1).toFixed(4));
  const sum = (read: (result: LoadResult) => number) => results.reduce((total, result) => total + read(result), 0);
  const counted = { ok: sum(({ ok }) => ok), failed: sum(({ non200, errors }) => non200 + errors) };
  const result = {
    what: 'memory and open files of one process under mixed traffic with exports; medians of the thirds in MB',
    ...before,
    minutes,
    ...counted,
    ...(await booked(join(dir, 'data'))),
    ...exported,
    residentMb: { first, second, last, most: Math.max(...samples) },
    growth,
    growthMax,
    files,
  };
  console.log(JSON.stringify(result, null, 2));
  if (process.argv.includes('--write')) keepResult('soak', result);
  const isExact = result.charged >= result.ok && result.failed === 0 && result.findings === 0 && result.openHolds === 0;
  process.exitCode = isExact && growth <= growthMax && files.after <= files.before ? 0 : 1;
} finally {
  mock.child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
