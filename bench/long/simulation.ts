/**
 * Runs many seeds of the simulated money core, on both databases in turn, and stores the result. With no
 * fault in N seeds the 95 % bound on their rate is about 3/N.
 *
 *   npm run verify:long -- simulation [seeds] [first seed] [seconds at most]
 */
import { kindOf, runWorld } from '../../server/test/simulator/world.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [count = 1_000_000, first = 0, secondsMax = Infinity] = process.argv.slice(2).map(Number);
const before = circumstances();
const broken: string[] = [];
const sums = { seeds: 0, requests: 0, crashes: 0, simulatedSeconds: 0 };
const cpu = process.cpuUsage();
const started = performance.now();
/** The result is stored at intervals, so that a run that ends early shows its last seed. */
const keepEvery = 50_000;
const keep = () => {
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  keepResult('simulation', {
    what: 'seeds of the simulated money core: clock, database outcomes, crashes and clients decided by the seed',
    ...before,
    firstSeed: first,
    ...sums,
    simulatedSeconds: Math.round(sums.simulatedSeconds),
    cpuSeconds: Math.round(cpuSeconds),
    simulatedToCpuTime: Math.round(sums.simulatedSeconds / cpuSeconds),
    broken,
  });
};
for (let seed = first; seed < first + count; seed += 1) {
  if ((performance.now() - started) / 1000 > secondsMax) break;
  const { faults, kind, tookMs, requests, crashes } = await runWorld(seed, kindOf(seed));
  sums.seeds += 1;
  sums.requests += requests;
  sums.crashes += crashes;
  sums.simulatedSeconds += tookMs / 1000;
  if (faults.length > 0) broken.push(`seed ${seed}, ${kind}: ${faults.join('; ')}`);
  if (sums.seeds % keepEvery === 0) keep();
}
keep();
console.log(`${sums.seeds} seeds, ${sums.requests} requests, ${sums.crashes} crashes, ${broken.length} broken`);
for (const line of broken) console.log(line);
process.exitCode = broken.length === 0 ? 0 : 1;
