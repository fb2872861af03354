/**
 * Fails where a relayed call has become slower: its processor time beside that of a bare proxy in the same run, in turns, may be
 * 1.3 times the committed ratio at most. On a machine that is busy with other work it warns instead.
 *
 *   node bench/guard/guard.ts [--write]
 *
 * Part of `npm test`. It needs neither nginx nor a compiler: load and upstream are in this process, the contestants in one each.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { prepareServer } from '../../server/test/processes/prepare-server.ts';
import { startServer } from '../../server/test/processes/server-process.ts';
import { circumstances, keepResult } from '../circumstances.ts';
import { median } from '../median.ts';
import { costOf, startReference, startUpstream, usedBy, warmUp } from './load-calls.ts';

const tolerated = 1.3;
const turns = 9;
/** Runs, each with new processes, before a call counts as slower. */
const tries = 3;
/** Share of the machine that other work may have. */
const othersMax = 0.1;
const resultPath = join(import.meta.dirname, '..', 'results', 'guard.json');

/** Seconds that all processors of the machine have worked. */
const worked = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0);

interface Measured {
  readonly ratio: number;
  readonly weirUs: number;
  readonly bareUs: number;
  /** Share of the machine that other work had. */
  readonly others: number;
}

/** Starts both anew: how their code is compiled differs from process to process. */
const measure = async (upstreamUrl: string): Promise<Measured> => {
  await using ends = new AsyncDisposableStack();
  const reference = await startReference(ends, upstreamUrl);
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startServer({ dataDir: folder });
  ends.defer(async () => void (await server.stop('SIGKILL')));
  const weir = { url: server.url, key: await prepareServer(server, { url: upstreamUrl, key: 'unused' }) };

  for (const contestant of [reference, weir]) await warmUp(contestant);
  const usedByAll = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + (await usedBy(reference)) + (await usedBy(weir));
  };
  const [begun, workedBefore, oursBefore] = [performance.now(), worked(), await usedByAll()];
  let [bareUs, weirUs] = [Infinity, Infinity];
  // The best turn of each is the least disturbed: what other work costs is never negative.
  for (let turn = 0; turn < turns; turn += 1) {
    bareUs = Math.min(bareUs, await costOf(reference));
    weirUs = Math.min(weirUs, await costOf(weir));
  }
  const otherSeconds = worked() - workedBefore - ((await usedByAll()) - oursBefore);
  const capacity = ((performance.now() - begun) / 1000) * availableParallelism();
  return { ratio: weirUs / bareUs, weirUs, bareUs, others: Math.max(0, otherSeconds / capacity) };
};

await using ends = new AsyncDisposableStack();
const upstreamUrl = await startUpstream(ends);

const rounded = (value: number): number => Number(value.toFixed(2));
const writes = process.argv.includes('--write');
const committed = writes
  ? Infinity
  : v.parse(v.object({ ratio: v.number() }), JSON.parse(readFileSync(resultPath, 'utf8'))).ratio;
const isWithin = ({ ratio }: Measured): boolean => ratio <= committed * tolerated;

const measured: Measured[] = [];
const least = writes ? tries : 1;
while (measured.length < least || (measured.length < tries && !measured.some(isWithin)))
  measured.push(await measure(upstreamUrl));
const of = (read: (one: Measured) => number): number => median(measured.map(read));
const figures = `a call costs ${rounded(of(({ ratio }) => ratio))} times a bare proxy (${Math.round(of(({ weirUs }) => weirUs))} and ${Math.round(of(({ bareUs }) => bareUs))} µs)`;

if (writes) {
  keepResult('guard', {
    what: 'Processor time of a relayed call of 1 KB beside a bare proxy of Node, in turns; the best turn of each, and the median of runs',
    ...circumstances(),
    ratio: rounded(of(({ ratio }) => ratio)),
    runs: measured.map(({ ratio, weirUs, bareUs, others }) => ({
      ratio: rounded(ratio),
      weirUs: Math.round(weirUs),
      bareUs: Math.round(bareUs),
      others: rounded(others),
    })),
  });
}
const isSlower = !measured.some(isWithin);
const isBusy = measured.every(({ others }) => others > othersMax);
if (!isSlower) console.log(`Speed: ${figures}`);
else if (isBusy)
  console.log(`Speed, a warning only, as the machine is busy with other work: ${figures}, committed ${committed}`);
else
  console.error(
    `Slower than before: ${figures}, committed ${committed}. Find out why, or commit the new ratio by --write with the reason`,
  );
process.exitCode = isSlower && !isBusy ? 1 : 0;
