/**
 * Compares the product's prices by ratios and by price cards and its checks of reported usage with oracles in Python, and
 * stores the result in `bench/results/`: `node bench/long/oracles.ts [prices] [usages] [cards]`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { priceCardSchema, serviceClasses } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { createPrice } from '../../server/src/billing/price/price.ts';
import { parseRatio, type Ratio } from '../../server/src/billing/price/ratio.ts';
import { acceptUsage, chargeUsage } from '../../server/src/billing/price/usage.ts';
import { quotaByCard } from '../../server/test/oracles/quota-by-card.ts';
import { parseObject } from '../../server/test/parsing/json.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [prices = 1_000_000, usages = 100_000, cards = 1_000_000] = process.argv.slice(2).map(Number);
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

const count = v.number();
const termsSchema = v.object({ unitsPerDollar: v.string(), group: v.string(), atMs: count });
const usedSchema = v.object({
  prompt: count,
  completion: count,
  parts: v.exactOptional(v.record(v.string(), count)),
  serviceClass: v.exactOptional(v.picklist(serviceClasses)),
});

/** Cases of one line: so many usages of one card. */
const usagesOfCard = 10;
const cardLine = v.tuple([
  priceCardSchema,
  termsSchema,
  v.pipe(v.array(v.tuple([usedSchema, count])), v.length(usagesOfCard)),
]);

const agreesOnCard = (line: readonly unknown[]): boolean => {
  const [card, terms, ofCard] = v.parse(cardLine, line);
  const quota = quotaByCard(card, terms);
  return ofCard.every(([used, expected]) => quota(used) === expected);
};

interface Comparison {
  readonly oracle: string;
  readonly cases: number;
  /** Cases of a line of the oracle. */
  readonly ofLine?: number;
  readonly agrees: (found: readonly unknown[]) => boolean;
}

const compare = async ({ oracle, cases, ofLine = 1, agrees }: Comparison) => {
  const child = spawn('python3', [join(tests, oracle), String(cases), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const disagreements: string[] = [];
  let compared = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const found: unknown = JSON.parse(line);
    compared += ofLine;
    if (!Array.isArray(found) || !agrees(found)) disagreements.push(line);
  }
  return { oracle, seed, cases: compared, disagreements: disagreements.length, examples: disagreements.slice(0, 20) };
};

const before = circumstances();
const results = [
  await compare({ oracle: 'price-oracle.py', cases: prices, agrees: agreesOnPrice }),
  await compare({ oracle: 'usage-oracle.py', cases: usages, agrees: agreesOnUsage }),
  await compare({ oracle: 'card-oracle.py', cases: cards, ofLine: usagesOfCard, agrees: agreesOnCard }),
];
keepResult('oracles', { what: 'exact-fraction oracles written in Python', ...before, results });
for (const { oracle, cases, disagreements } of results)
  console.log(`${oracle}: ${cases} cases, ${disagreements} disagreements`);
const complete = [prices, usages, cards].every((wanted, index) => results[index]?.cases === wanted);
process.exitCode = complete && results.every(({ disagreements }) => disagreements === 0) ? 0 : 1;
