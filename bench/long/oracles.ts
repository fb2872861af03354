/**
 * Compares the product's prices and its checks of reported usage with oracles in Python, and stores the result in
 * `bench/results/`: `node bench/long/oracles.ts [prices] [usages]`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPrice } from '../../server/src/billing/price/price.ts';
import { parseRatio, type Ratio } from '../../server/src/billing/price/ratio.ts';
import { acceptUsage, chargeUsage } from '../../server/src/billing/price/usage.ts';
import { parseObject } from '../../server/test/parsing/json.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [prices = 1_000_000, usages = 100_000] = process.argv.slice(2).map(Number);
const seed = 20_261_121;
const tests = join(import.meta.dirname, '..', '..', 'server', 'test', 'oracles');

const exactly = (text: unknown): Ratio => {
  const value = parseRatio(String(text));
  if (value === null) throw new Error(`no ratio: ${String(text)}`);
  return value;
};

const agreesOnPrice = ([m, c, g, prompt, completion, expected]: readonly unknown[]): boolean => {
  const ratios = { model: exactly(m), completion: exactly(c), group: exactly(g) };
  const price = createPrice({ version: 1, ...ratios, modelKnown: true, groupKnown: true });
  return price.quota({ prompt: Number(prompt), completion: Number(completion) }) === expected;
};

const agreesOnUsage = ([text, hasOutput, prompt, completion, estimated]: readonly unknown[]): boolean => {
  const reported = parseObject(String(text));
  const report = { prompt: reported['prompt'], completion: reported['completion'], total: reported['total'] };
  const charged = chargeUsage(acceptUsage(report, hasOutput === true), { prompt: 11, completion: 22 });
  return charged.prompt === prompt && charged.completion === completion && charged.estimated === estimated;
};

const compare = async (oracle: string, cases: number, agrees: (found: readonly unknown[]) => boolean) => {
  const child = spawn('python3', [join(tests, oracle), String(cases), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const disagreements: string[] = [];
  let compared = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const found: unknown = JSON.parse(line);
    compared += 1;
    if (!Array.isArray(found) || !agrees(found)) disagreements.push(line);
  }
  return { oracle, seed, cases: compared, disagreements: disagreements.length, examples: disagreements.slice(0, 20) };
};

const before = circumstances();
const results = [
  await compare('price-oracle.py', prices, agreesOnPrice),
  await compare('usage-oracle.py', usages, agreesOnUsage),
];
keepResult('oracles', { what: 'exact-fraction oracles written in Python', ...before, results });
for (const { oracle, cases, disagreements } of results)
  console.log(`${oracle}: ${cases} cases, ${disagreements} disagreements`);
const complete = results[0]?.cases === prices && results[1]?.cases === usages;
process.exitCode = complete && results.every(({ disagreements }) => disagreements === 0) ? 0 : 1;
