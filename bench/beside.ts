/**
 * CPU time of a relayed call in this checkout beside another checkout of the project, to find what a change costs:
 *
 *   node bench/beside.ts path/to/other/checkout [pairs] [part of a scenario's name]
 *
 * Both gateways run throughout on core 0, mock upstream and load generator on core 1. They are loaded in turns of one
 * second; each pair of turns gives one ratio, so that a machine whose speed changes affects both alike. The result is
 * the median of the ratios with its quartiles, stored in `bench/results/beside.json`. Needs Linux with at least two
 * cores and a C compiler; the other checkout needs its packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { circumstances, keepResult } from './circumstances.ts';
import { type Contestant, model, startMock, startWeir } from './contestant.ts';
import { load, type LoadResult } from './native/native.ts';

const [other, pairs = '40', only = ''] = process.argv.slice(2);
if (other === undefined) throw new Error('Usage: node bench/beside.ts path/to/other/checkout [pairs] [scenario]');

/** A checkout's own program that starts its gateway; the same function in every commit. */
// oxlint-disable-next-line typescript/no-unsafe-assignment -- a module of another checkout has no type here
const { startWeir: startOther }: { readonly startWeir: typeof startWeir } = await import(
  join(resolve(other), 'bench', 'contestant.ts')
);

const turn = ['-d', '1', '-w', '0.2'];
const warmUp = ['-d', '8', '-w', '0'];
const scenarios = [
  { name: 'JSON, 1 KB', mock: [], load: ['-c', '64'], read: (result: LoadResult) => result.sut_cpu_us_per_req },
  {
    name: 'JSON, 64 KB in',
    mock: [],
    load: ['-c', '64', '-B', '65536'],
    read: (result: LoadResult) => result.sut_cpu_us_per_req,
  },
  {
    name: 'event of 200 streams',
    mock: ['-n', '100', '-i', '2000'],
    load: ['-c', '200', '-S'],
    read: (result: LoadResult) => result.sut_cpu_us_per_event,
  },
] as const;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const measure = async ({ name, mock: mockArgs, load: loadArgs, read }: (typeof scenarios)[number]) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-beside-'));
  const mock = await startMock(mockArgs);
  const own = await startWeir(mock.port, join(dir, 'own'));
  const others = await startOther(mock.port, join(dir, 'other'));
  const run = (contestant: Contestant, args: readonly string[]): Promise<LoadResult> => {
    const pids = contestant.pids.flatMap((pid) => ['-p', String(pid)]);
    return load([
      ...loadArgs,
      ...args,
      ...pids,
      '-m',
      model,
      '-k',
      contestant.key,
      `${contestant.url}/v1/chat/completions`,
    ]);
  };
  const ratios: number[] = [];
  try {
    for (const contestant of [own, others]) await run(contestant, warmUp);
    for (let pair = 0; pair < Number(pairs); pair += 1) {
      // Who comes first alternates: the second of a pair finds warmer caches.
      const [first, second] = pair % 2 === 0 ? [own, others] : [others, own];
      const costs = new Map([[first, read(await run(first, turn))]]);
      costs.set(second, read(await run(second, turn)));
      ratios.push((costs.get(own) ?? Number.NaN) / (costs.get(others) ?? Number.NaN));
    }
  } finally {
    await own.stop();
    await others.stop();
    mock.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
  const sorted = ratios.toSorted((one, two) => one - two);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => Number(quantile(sorted, share).toFixed(3)));
  console.log(`${name}: ${middle} (${low} to ${high})`);
  return { name, pairs: ratios.length, ratio: middle, quartiles: [low, high] };
};

const before = circumstances();
const rows = [];
for (const scenario of scenarios) if (scenario.name.includes(only)) rows.push(await measure(scenario));
keepResult('beside', {
  what: 'CPU per request or event, divided by that of another commit, in turns of one second; SQLite',
  ...before,
  beside: execFileSync('git', ['-C', resolve(other), 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  rows,
});
