/**
 * Plants every bug of `mutants.ts` alone, runs worlds until one of them shows it, and prints a line of JSON for each:
 * `node find-planted-bugs.ts SEEDS REMAINDER`, for every second bug. The sources stay as they are: a module with a bug is another module to the loader.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mutants } from './mutants.ts';
import type * as Simulation from './world.ts';

const [seeds = 1000, remainder = 0] = process.argv.slice(2).map(Number);
const server = pathToFileURL(join(import.meta.dirname, '..', '..')).href;
const sources = join(import.meta.dirname, '..', '..', 'src');

const mutantOf = (url: string | undefined): string | null =>
  url === undefined || !url.startsWith(server) ? null : new URL(url).searchParams.get('mutant');

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const mutant = mutantOf(context.parentURL);
    if (mutant === null || !resolved.url.startsWith(server) || mutantOf(resolved.url) !== null) return resolved;
    return { ...resolved, url: `${resolved.url}?mutant=${mutant}` };
  },
  load: (url, context, next) => {
    const mutant = mutants[Number(mutantOf(url) ?? -1)];
    const file = mutant === undefined ? '' : join(sources, mutant.file);
    if (mutant === undefined || fileURLToPath(url.replace(/\?.*$/, '')) !== file) return next(url, context);
    const source = readFileSync(file, 'utf8');
    if (source.split(mutant.from).length !== 2)
      throw new Error(`${mutant.name}: ${mutant.file} does not contain the mutated text exactly once`);
    return { format: 'module-typescript', source: source.replace(mutant.from, () => mutant.to), shortCircuit: true };
  },
});

const isSimulation = (loaded: unknown): loaded is typeof Simulation =>
  typeof loaded === 'object' && loaded !== null && 'runWorld' in loaded;

// What a planted bug leaves behind unhandled is its own affair.
process.on('unhandledRejection', () => undefined);

for (const [index, { name }] of mutants.entries()) {
  if (index % 2 !== remainder) continue;
  const simulation: unknown = await import(`./world.ts?mutant=${index}`);
  if (!isSimulation(simulation)) throw new Error('there is no simulation');
  let found: { readonly seed: number; readonly fault: string | undefined } | undefined;
  for (let seed = 0; seed < seeds && found === undefined; seed += 1) {
    const { faults } = await simulation.runWorld(seed, simulation.kindOf(seed));
    if (faults.length > 0) found = { seed, fault: faults[0] };
  }
  console.log(JSON.stringify({ name, ...found }));
}
