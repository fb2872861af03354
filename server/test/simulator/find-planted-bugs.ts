/**
 * Plants the bugs of `mutants.ts`, each alone, and prints a line of JSON for each:
 *
 *   node find-planted-bugs.ts SEEDS REMAINDER    every second bug, and the world that shows it
 *   node find-planted-bugs.ts orders REMAINDER   every second one of `ofOrders`, and the order that shows it
 *
 * The sources stay as they are: a module with a bug is another module to the loader.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Orders from './all-orders.ts';
import { mutants, ofOrders } from './mutants.ts';
import type * as Simulation from './world.ts';

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

const hasOrders = (loaded: unknown): loaded is typeof Orders =>
  typeof loaded === 'object' && loaded !== null && 'runAllOrders' in loaded;

const findInWorlds = async (index: number, seeds: number) => {
  const simulation: unknown = await import(`./world.ts?mutant=${index}`);
  if (!isSimulation(simulation)) throw new Error('there is no simulation');
  for (let seed = 0; seed < seeds; seed += 1) {
    const { faults } = await simulation.runWorld(seed, simulation.kindOf(seed));
    if (faults.length > 0) return { seed, fault: faults[0] };
  }
  return {};
};

const findInOrders = async (index: number) => {
  const orders: unknown = await import(`./all-orders.ts?mutant=${index}`);
  if (!hasOrders(orders)) throw new Error('there are no orders');
  const nodes = [['whole'], ['whole'], ['whole']] as const;
  for (const bound of ['account', 'token', 'budget'] as const) {
    const { broken, orders: tried } = await orders.runAllOrders({
      nodes,
      bound,
      balance: 20,
      hold: 10,
      price: 10,
      faults: 0,
    });
    if (broken.length > 0) return { order: tried, fault: broken[0] };
  }
  return {};
};

const [what = '1000', remainder = '0'] = process.argv.slice(2);
for (const [index, { name }] of mutants.entries()) {
  if (index % 2 !== Number(remainder) || (what === 'orders' && !ofOrders.has(name))) continue;
  const found = await (what === 'orders' ? findInOrders(index) : findInWorlds(index, Number(what)));
  console.log(JSON.stringify({ name, ...found }));
}
