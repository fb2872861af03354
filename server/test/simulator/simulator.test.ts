import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { findPlantedBugs } from './planted-bugs.ts';
import { kindOf, runWorld } from './world.ts';

/** `npm run verify:long -- simulation` runs many more. */
const seeds = 5000;
/** Seconds on a machine with nothing else to do. */
const patienceMs = 600_000;

test(
  'RELAY-07 G5 5,000 seeds of the simulated money core: no invariant is ever broken',
  async () => {
    const broken: string[] = [];
    let simulatedMs = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      const { faults, kind, tookMs } = await runWorld(seed, kindOf(seed));
      simulatedMs += tookMs;
      if (faults.length > 0) broken.push(`seed ${seed}, ${kind}: ${faults[0]}`);
    }
    expect(broken).toEqual([]);
    // Worlds long enough for time limits, cool-downs and recovery: five to six simulated seconds on average.
    expect(simulatedMs / seeds).toBeGreaterThan(4000);
  },
  patienceMs,
);

test('RELAY-07 G5 seeds that have found a bug are worlds in which all holds', async () => {
  for (const seed of [258_271, 451_174, 1_003_519])
    expect((await runWorld(seed, kindOf(seed))).faults, String(seed)).toEqual([]);
});

test('RELAY-07 a seed replays to the last entry of its ledger', async () => {
  for (let seed = 0; seed < 80; seed += 1) {
    expect(await runWorld(seed, kindOf(seed))).toEqual(await runWorld(seed, kindOf(seed)));
  }
});

test(
  'RELAY-07 G48 every bug that is planted into the money core is found within 1,000 seeds',
  async () => {
    const found = await findPlantedBugs('1000');
    expect(found).toHaveLength(mutants.length);
    expect(found.filter(({ seed }) => seed === undefined).map(({ name }) => name)).toEqual([]);
  },
  patienceMs,
);
