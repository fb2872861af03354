import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testDatabaseKind } from '../database/database.ts';
import { parseObject } from '../parsing/json.ts';
import { mutants } from './mutants.ts';
import { kindOf, runWorld } from './world.ts';

/** The simulation needs no database: each of the two suites takes its half. */
const half = testDatabaseKind === 'sqlite' ? 0 : 1;
/** `npm run verify:long -- simulation` runs many more. */
const seedsPerHalf = 2500;
/** Seconds on a machine with nothing else to do. */
const patienceMs = 600_000;

test(
  `RELAY-07 G5 ${seedsPerHalf} seeds of the simulated money core, of 5,000: no invariant is ever broken`,
  async () => {
    const broken: string[] = [];
    let simulatedMs = 0;
    for (let seed = half * seedsPerHalf; seed < (half + 1) * seedsPerHalf; seed += 1) {
      const { faults, kind, tookMs } = await runWorld(seed, kindOf(seed));
      simulatedMs += tookMs;
      if (faults.length > 0) broken.push(`seed ${seed}, ${kind}: ${faults[0]}`);
    }
    expect(broken).toEqual([]);
    // Worlds long enough for time limits, cool-downs and recovery: five to six simulated seconds on average.
    expect(simulatedMs / seedsPerHalf).toBeGreaterThan(4000);
  },
  patienceMs,
);

test('RELAY-07 G5 seeds that have found a bug are worlds in which all holds', async () => {
  for (const seed of [258_271, 451_174, 1_003_519])
    expect((await runWorld(seed, kindOf(seed))).faults, String(seed)).toEqual([]);
});

test('RELAY-07 a seed replays to the last entry of its ledger', async () => {
  for (let seed = half * 40; seed < (half + 1) * 40; seed += 1) {
    expect(await runWorld(seed, kindOf(seed))).toEqual(await runWorld(seed, kindOf(seed)));
  }
});

test(
  'RELAY-07 G48 every bug that is planted into the money core is found within 1,000 seeds',
  async () => {
    const script = join(import.meta.dirname, 'find-planted-bugs.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '1000', String(half)]);
    const found = stdout.trim().split('\n').map(parseObject);
    expect(found).toHaveLength(mutants.filter((_, index) => index % 2 === half).length);
    expect(found.filter(({ seed }) => seed === undefined).map(({ name }) => name)).toEqual([]);
  },
  patienceMs,
);
