/**
 * Runs worlds until one of them shows a fault, and prints it: `node find-fault.ts SEEDS`. Ends with 1 where there is one.
 */
import { kindOf, runWorld } from './world.ts';

const [seeds = 1000] = process.argv.slice(2).map(Number);
let found: string | undefined;
for (let seed = 0; seed < seeds && found === undefined; seed += 1) {
  const { faults, kind } = await runWorld(seed, kindOf(seed));
  if (faults.length > 0) found = `seed ${seed}, ${kind}: ${faults[0]}`;
}
if (found !== undefined) console.log(found);
process.exitCode = found === undefined ? 0 : 1;
