/**
 * Cost of the search for a price, in processor time: of a model that was asked for before, of one that was not, and what
 * list prices add to a relayed call compared with a table of ratios alone. `node bench/prices.ts [--write]`.
 */
import { createBookIndex } from '../server/src/billing/price/book/book-index.ts';
import { createPriceLists } from '../server/src/billing/price/book/price-lists.ts';
import { readShippedBook } from '../server/src/billing/price/book/shipped-book.ts';
import { createOwnPriceIndex } from '../server/src/billing/price/own-price-index.ts';
import type { PriceLists } from '../server/src/billing/price/price-question.ts';
import { createPriceTable, type PriceTable } from '../server/src/billing/price/price-table.ts';
import { builtInRatios } from '../server/src/billing/price/prices.ts';
import { ratio } from '../server/src/billing/price/ratio.ts';
import { circumstances, keepResult } from './circumstances.ts';

const none = { modelRatio: '', completionRatio: '', groupRatio: '', partRatio: '' };
const now = Date.now();
const book = readShippedBook();

const tableOf = (lists: PriceLists | null, modelRatio = ''): PriceTable =>
  createPriceTable({
    version: 1,
    operator: { ...none, modelRatio },
    builtIn: builtInRatios,
    lists,
    own: createOwnPriceIndex([]),
    unitsPerDollar: ratio(500_000n, 1n),
    unpriced: 'refuse',
    madeAtMs: now,
  });

/** Microseconds of processor time for each of `times` repetitions: the least of some runs, as other work adds to it. */
const least = (times: number, run: () => void): number => {
  const runs = Array.from({ length: 15 }, () => {
    const begun = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / times;
  });
  return Math.min(...runs);
};

const indexMs = least(1, () => void createBookIndex(book)) / 1000;
const lists = createPriceLists(book);

const models = book.entries
  .filter(({ mode, price }) => mode === 'chat' && price !== undefined)
  .map(({ model }) => model)
  .slice(0, 500);
const used = { prompt: 12_345, completion: 678, parts: { cache_read: 5000 } };

/** What a relayed call does: it asks for its price, holds by it and charges by it. */
const call = (table: PriceTable, model: string): void => {
  const price = table.price({ model, channelType: 1, channelId: 7, group: 'default', atMs: now });
  price.quota({ prompt: 12_000, completion: 512 });
  price.chosenFor(used).quota(used);
};
const perCall = (table: PriceTable): number => {
  const rounds = 200;
  return least(rounds * models.length, () => {
    for (let round = 0; round < rounds; round++) for (const model of models) call(table, model);
  });
};
const rounded = (value: number): number => Number(value.toFixed(3));

const warm = tableOf(lists);
const asked = least(200 * models.length, () => {
  for (let round = 0; round < 200; round++)
    for (const model of models) warm.price({ model, channelType: 1, channelId: 7, group: 'default', atMs: now });
});
const first = least(models.length, () => {
  const table = tableOf(lists);
  for (const model of models) table.price({ model, channelType: 1, channelId: 7, group: 'default', atMs: now });
});
const ratios = JSON.stringify(Object.fromEntries(models.map((model) => [model, 1.25])));
const byList = perCall(tableOf(lists));
const byRatio = perCall(tableOf(null, ratios));

const result = {
  what: 'processor time of the search for a price, in microseconds; the least of 15 runs over 500 models',
  ...circumstances(),
  indexMilliseconds: rounded(indexMs),
  askedBefore: rounded(asked),
  firstQuestion: rounded(first),
  callByListPrice: rounded(byList),
  callByRatioAlone: rounded(byRatio),
  addedToACall: rounded(Math.max(0, byList - byRatio)),
};
console.log(JSON.stringify(result, null, 2));
if (process.argv.includes('--write')) keepResult('prices', result);
