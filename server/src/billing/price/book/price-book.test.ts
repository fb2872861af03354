import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { vendors } from '@weir/contract/catalogue/vendors';
import { priceBookSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const text = readFileSync(new URL('price-book.json', import.meta.url), 'utf8');
const book = v.parse(v.strictObject(priceBookSchema.entries), JSON.parse(text));
const entryOf = (vendor: string, model: string) =>
  book.entries.find((entry) => entry.vendor === vendor && entry.model === model);

/**
 * List prices in dollars for a million tokens: input, output, cache read, cache write. A second record, kept by hand, that
 * the generator does not see: an edition that changes one of them is read with its vendor's page beside it.
 */
const published: readonly (readonly [vendor: string, model: string, prices: readonly number[]])[] = [
  ['openai', 'gpt-4.1', [2, 8, 0.5]],
  ['openai', 'gpt-4.1-mini', [0.4, 1.6, 0.1]],
  ['openai', 'gpt-4o', [2.5, 10, 1.25]],
  ['openai', 'gpt-4o-2024-05-13', [5, 15]],
  ['openai', 'gpt-4o-mini', [0.15, 0.6, 0.075]],
  ['openai', 'gpt-5', [1.25, 10, 0.125]],
  ['openai', 'gpt-5-mini', [0.25, 2, 0.025]],
  ['openai', 'gpt-5.5', [5, 30, 0.5]],
  ['openai', 'o3', [2, 8, 0.5]],
  ['openai', 'text-embedding-3-small', [0.02, 0]],
  ['openai', 'omni-moderation-latest', [0, 0]],
  ['anthropic', 'claude-haiku-4-5', [1, 5, 0.1, 1.25]],
  ['anthropic', 'claude-sonnet-4-5', [3, 15, 0.3, 3.75]],
  ['anthropic', 'claude-sonnet-4-5-20250929', [3, 15, 0.3, 3.75]],
  ['anthropic', 'claude-opus-4-5', [5, 25, 0.5, 6.25]],
  ['anthropic', 'claude-opus-5-5', [4, 20, 0.2, 5]],
  ['gemini', 'gemini-2.5-flash', [0.3, 2.5, 0.03]],
  ['gemini', 'gemini-2.5-pro', [1.25, 10, 0.125]],
  ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', [3.3, 16.5, 0.33, 4.125]],
  ['bedrock', 'amazon.nova-lite-v1:0', [0.06, 0.24, 0.015]],
  ['deepseek', 'deepseek-v3', [0.27, 1.1, 0.07]],
  ['deepseek', 'deepseek-v4-pro', [1.32, 3.96, 0.044]],
  ['mistral', 'mistral-large-2512', [0.5, 1.5, 0.05]],
  ['mistral', 'codestral-2508', [0.3, 0.9, 0.03]],
  ['alibaba', 'qwen-max', [1.6, 6.4]],
  ['alibaba', 'qwen-plus', [0.4, 1.2]],
  ['xai', 'grok-4.7', [2, 6, 0.5]],
  ['zhipu', 'glm-4.6', [0.6, 2.2, 0.11]],
  ['azure', 'gpt-4o-2024-05-13', [5, 15]],
];

test.each(published)('%s’s %s costs what the record of list prices has', (vendor, model, prices) => {
  const rates = entryOf(vendor, model)?.price?.rates;
  const found = [rates?.input, rates?.output, rates?.cache_read, rates?.cache_write];
  expect(found.map((price) => (price === undefined ? undefined : Number(price)))).toEqual(
    [0, 1, 2, 3].map((index) => prices[index]),
  );
});

test('gemini-2.5-pro has the prices of prompts above 200,000 tokens, its classes and its limits', () => {
  expect(entryOf('gemini', 'gemini-2.5-pro')).toMatchObject({
    price: {
      tiers: [{ above: 200_000, input: '2.5', output: '15', cache_read: '0.25' }],
      classes: { batch: { input: '0.625', output: '5' }, priority: { input: '2.25', output: '18' } },
    },
    context: 1_048_576,
    output: 65_536,
    from: '2026-11-01',
  });
});

test('pictures, speech, recordings and ranks have prices in their units', () => {
  expect(entryOf('openai', 'gpt-image-1.5')?.price?.rates).toEqual({
    input: '5',
    output: '10',
    cache_read: '1.25',
    image_prompt: '8',
    image_completion: '32',
  });
  expect(entryOf('openai', 'gpt-image-2')?.price?.rates).toMatchObject({ input: '5', output: '30' });
  expect(entryOf('openai', 'whisper-1')?.price).toEqual({ units: { second: '0.0001' } });
  expect(entryOf('openai', 'tts-1-hd')?.price).toEqual({ units: { character: '0.00003' } });
  expect(entryOf('cohere', 'rerank-v3.5')?.price).toEqual({ units: { search: '0.002' } });
});

test('only models that their vendor states to be free cost nothing', () => {
  const freeOnes = book.entries.filter(({ price }) => price?.rates?.input === '0');
  expect(freeOnes.map(({ vendor, model }) => `${vendor} ${model}`)).toEqual([
    'openai omni-moderation-2024-09-26',
    'openai omni-moderation-latest',
    'zhipu glm-4.5-flash',
    'zhipu glm-4.7-flash',
  ]);
  const units = book.entries.flatMap(({ price }) => Object.values(price?.units ?? {}));
  expect(units.filter((price) => Number(price) === 0)).toEqual([]);
  const halves = book.entries.filter(
    ({ mode, price }) => price?.rates?.input !== '0' && price?.rates?.output === '0' && mode === 'chat',
  );
  expect(halves).toEqual([]);
});

test('no cached token costs more than a plain one, no batch more than a single call', () => {
  const wrong = book.entries.filter(({ price: { rates, classes } = {} }) => {
    if (rates === undefined) return false;
    const input = Number(rates.input);
    return Number(rates.cache_read ?? 0) > input || Number(classes?.batch?.input ?? 0) > input;
  });
  expect(wrong.map(({ vendor, model }) => `${vendor} ${model}`)).toEqual([]);
});

test('each model of a vendor is there once for a day, in order, with a vendor of the catalogue or one reached by others', () => {
  const names = book.entries.map(({ vendor, model, from }) => `${vendor}\0${model}\0${from}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(names.toSorted());
  const others = new Set(book.entries.map(({ vendor }) => vendor).filter((vendor) => !Object.hasOwn(vendors, vendor)));
  expect([...others]).toEqual(['cerebras', 'deepinfra', 'fireworks', 'jina', 'perplexity', 'voyage']);
});

test('the book is below 600 KB, and 120 KB compressed', () => {
  expect(book.entries.length).toBeGreaterThan(1500);
  expect(text.length).toBeLessThan(600_000);
  expect(gzipSync(text).length).toBeLessThan(120_000);
});
