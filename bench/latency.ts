/**
 * Latency that the gateway adds to direct calls of the upstream: to whole answers at 2,000 requests a second, and to the
 * first byte of 200 streams with one event every 10 ms.
 *
 *   node bench/latency.ts [rounds] [--write]
 *
 * Requests are sent at a constant rate, and their latency counts from the time they are due. The process under test runs
 * alone on core 0 and is warm; both contestants run in turn. A charge, and the hold of a stream, are on the disk before the
 * client has its answer: what the disk alone takes to store a page is measured in between. Needs Linux with at least two
 * cores and a C compiler.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';
import { model, startMock, startWeir, upstreamKey } from './contestant.ts';
import { load, type LoadResult } from './native/native.ts';
import { median } from './median.ts';

const rounds = numberArgument(3);

interface Scenario {
  readonly name: string;
  readonly mock: readonly string[];
  readonly load: readonly string[];
  /** The time of the result that counts. */
  readonly time: 'lat_us' | 'ttfb_us';
  /** Most milliseconds that the gateway may add. */
  readonly bar: { readonly p50: number; readonly p99: number | null };
}

const scenarios: readonly Scenario[] = [
  {
    name: 'whole answers of 1 KB, 2,000 a second',
    mock: [],
    load: ['-c', '64', '-r', '2000', '-d', '5', '-w', '1'],
    time: 'lat_us',
    bar: { p50: 0.5, p99: 4 },
  },
  {
    name: 'first byte of 200 streams, an event each 10 ms',
    mock: ['-n', '100', '-i', '10000'],
    load: ['-c', '200', '-S', '-d', '5', '-w', '2', '-g', '1'],
    time: 'ttfb_us',
    bar: { p50: 2, p99: null },
  },
];

/** Enough calls to compile the code of every call. */
const warmUp = ['-c', '64', '-d', '4', '-w', '0'];

interface Target {
  readonly url: string;
  readonly key: string;
}

const send = (args: readonly string[], { url, key }: Target): Promise<LoadResult> =>
  load([...args, '-m', model, '-k', key, '-l', 'latency', `${url}/v1/chat/completions`]);

const measure = async (scenario: Scenario): Promise<Record<'direct' | 'weir', LoadResult>> => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const mock = await startMock(scenario.mock);
  try {
    const direct = await send(scenario.load, { url: `http://127.0.0.1:${mock.port}`, key: upstreamKey });
    const weir = await startWeir(mock.port, dir);
    try {
      await send(warmUp, weir);
      return { direct, weir: await send(scenario.load, weir) };
    } finally {
      await weir.stop();
    }
  } finally {
    mock.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
};

const ms = (us: number): number => Number((us / 1000).toFixed(3));

const page = Buffer.alloc(4096, 1);
const flushes = 400;

/** Microseconds in which a page that is appended to a file is on the disk, sorted. */
const timeFlushes = (): number[] => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const file = openSync(join(dir, 'pages'), 'w');
  try {
    const timeOne = () => {
      const began = performance.now();
      writeSync(file, page);
      fsyncSync(file);
      return (performance.now() - began) * 1000;
    };
    return Array.from({ length: flushes }, timeOne).toSorted((one, other) => one - other);
  } finally {
    closeSync(file);
    rmSync(dir, { recursive: true });
  }
};

const runScenario = async (scenario: Scenario) => {
  const { name, time, bar } = scenario;
  const results: Record<'direct' | 'weir', LoadResult>[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure(scenario));
  const of = (who: 'direct' | 'weir', part: 'p50' | 'p99') => median(results.map((result) => result[who][time][part]));
  const times = (who: 'direct' | 'weir') => ({ p50: ms(of(who, 'p50')), p99: ms(of(who, 'p99')) });
  const [direct, weir] = [times('direct'), times('weir')];
  const added = { p50: ms((weir.p50 - direct.p50) * 1000), p99: ms((weir.p99 - direct.p99) * 1000) };
  const failed = results.reduce((sum, result) => sum + result.weir.errors + result.weir.non200, 0);
  const perSecond = Math.round(median(results.map((result) => result.weir.rps)));
  const within = added.p50 <= bar.p50 && (bar.p99 === null || added.p99 <= bar.p99);
  return { name, direct, weir, added, bar, within, perSecond, failed };
};

const before = circumstances();
const figures = [];
const flushTimes: number[][] = [];
for (const scenario of scenarios) {
  flushTimes.push(timeFlushes());
  figures.push(await runScenario(scenario));
}
const flushAt = (share: number) => ms(median(flushTimes.map((times) => times[Math.floor(share * (flushes - 1))] ?? 0)));
const diskFlush = { p50: flushAt(0.5), p99: flushAt(0.99) };
const result = { ...before, rounds, unit: 'milliseconds', diskFlush, figures };
console.log(JSON.stringify(result, null, 2));
if (process.argv.includes('--write')) keepResult('latency', result);
process.exitCode = figures.every(({ failed }) => failed === 0) ? 0 : 1;
