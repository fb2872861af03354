/**
 * Makes one small change after the other in the sources that move money and runs the simulated money core, then the tests of
 * the source, until one of them fails. Stores the changes that none of them found in `bench/results/mutants.json`. With the
 * name of a source in the arguments it runs the sources whose path contains it, and keeps the results of the others.
 *
 *   npm run verify:long -- mutants [name of sources, or all] [seconds at most] [N: every Nth change alone]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circumstances, keepResult } from '../circumstances.ts';
import { copyServer } from '../mutation/copied-server.ts';
import { apply, mutate, type SourceMutant } from '../mutation/mutate.ts';
import { targets, type Target } from '../mutation/targets.ts';

interface Survivor {
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

type Killed = Readonly<Record<'simulation' | 'tests' | 'endless', number>>;

interface FileResult {
  readonly file: string;
  /** All that there are of this source, and those that were run. */
  readonly possible: number;
  readonly mutants: number;
  /** By the simulated money core, by the tests, and by never ending. */
  readonly killed: Killed;
  readonly survivors: readonly Survivor[];
}

const [wanted = 'all', secondsMax = '86400', every = '1'] = process.argv.slice(2);
const started = performance.now();
const isOver = () => (performance.now() - started) / 1000 > Number(secondsMax);
const before = circumstances();
const server = copyServer();

const isResult = (value: unknown): value is FileResult =>
  typeof value === 'object' && value !== null && 'file' in value && 'survivors' in value;

/** Of a run before this one. */
const earlier = (): readonly FileResult[] => {
  const path = join(import.meta.dirname, '..', 'results', 'mutants.json');
  if (!existsSync(path)) return [];
  const known: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const files: unknown = typeof known === 'object' && known !== null ? Reflect.get(known, 'files') : [];
  return Array.isArray(files) ? files.filter(isResult) : [];
};

const describe = (source: string, { start, end, to }: SourceMutant): Survivor => {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const line = source.slice(0, start).split('\n').length;
  const around = (text: string) => `${source.slice(lineStart, start)}${text}${source.slice(end, lineEnd)}`.trim();
  return { line, from: around(source.slice(start, end)), to: around(to) };
};

type Finder = keyof Killed | null;

const findKiller = async (target: Target): Promise<Finder> => {
  const simulated = target.simulated ? await server.simulate() : 'passed';
  if (simulated !== 'passed') return simulated === 'failed' ? 'simulation' : 'endless';
  const tested = await server.test(target);
  return tested === 'passed' ? null : tested === 'failed' ? 'tests' : 'endless';
};

/** Undefined: the time was over. */
const runTarget = async (target: Target): Promise<FileResult | undefined> => {
  const source = server.read(target.file);
  // Without a change they pass; else a mutant would be found by chance.
  const killer = await findKiller(target);
  if (killer !== null) throw new Error(`The tests of ${target.file} fail without a mutant: ${killer}`);
  const killed = { simulation: 0, tests: 0, endless: 0 };
  const survivors: Survivor[] = [];
  const possible = mutate(target.file, source);
  const mutants = possible.filter((_, index) => index % Number(every) === 0);
  for (const mutant of mutants) {
    if (isOver()) return undefined;
    server.write(target.file, apply(source, mutant));
    const finder = await findKiller(target);
    if (finder !== null) killed[finder] += 1;
    else {
      const survivor = describe(source, mutant);
      survivors.push(survivor);
      console.log(`survived: line ${survivor.line}: ${survivor.to}`);
    }
  }
  server.write(target.file, source);
  return { file: target.file, possible: possible.length, mutants: mutants.length, killed, survivors };
};

const results = new Map(earlier().map((result) => [result.file, result]));
const keep = () => {
  const files = targets.flatMap(({ file }) => results.get(file) ?? []);
  const mutants = files.reduce((sum, result) => sum + result.mutants, 0);
  const survived = files.reduce((sum, result) => sum + result.survivors.length, 0);
  keepResult('mutants', {
    what: 'small changes of the sources that move money, each found by the simulated money core or the tests of its source',
    ...before,
    possible: files.reduce((sum, result) => sum + result.possible, 0),
    mutants,
    killed: mutants - survived,
    share: mutants === 0 ? 1 : Number(((mutants - survived) / mutants).toFixed(3)),
    files,
  });
};
try {
  for (const target of targets.filter(({ file }) => wanted === 'all' || file.includes(wanted))) {
    const result = isOver() ? undefined : await runTarget(target);
    if (result === undefined) break;
    results.set(target.file, result);
    console.log(`${target.file}: ${result.mutants - result.survivors.length} of ${result.mutants} found`);
    keep();
  }
} finally {
  server.remove();
}
