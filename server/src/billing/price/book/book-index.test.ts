import type { BookEntry } from '@weir/contract/prices/price-book';
import { expect, test } from 'vitest';
import { createBookIndex } from './book-index.ts';
import { readShippedBook } from './shipped-book.ts';

const book = readShippedBook();
const index = createBookIndex(book);
const day = '2026-11-24';

const entry = (vendor: string, model: string, input: string | undefined, from = '2026-11-01'): BookEntry => ({
  vendor,
  model,
  mode: 'chat',
  ...(input === undefined ? {} : { price: { rates: { input, output: input } } }),
  from,
});
const indexOf = (...entries: readonly BookEntry[]) => createBookIndex({ name: 'test', entries: [...entries] });
const named = (found: BookEntry | undefined) => found && `${found.vendor} ${found.model}`;
const inputOf = (found: BookEntry | undefined) => found?.price?.rates?.input;

test('every model of the book finds itself at its vendor, in any case', () => {
  const lost = book.entries.filter(({ vendor, model, price }) => {
    const expected = price === undefined ? undefined : `${vendor} ${model}`;
    return (
      named(index.ofVendor(vendor, model, day)) !== expected ||
      named(index.ofVendor(vendor, model.toUpperCase(), day)) !== expected ||
      named(index.facts(vendor, model)) !== `${vendor} ${model}`
    );
  });
  expect(lost.map(named)).toEqual([]);
});

test('models of a vendor that share a form of their name differ only by date, version, region or points', () => {
  const family = (model: string) =>
    model
      .toLowerCase()
      .replace(/^(?:us-gov|us|eu|apac|au|jp|in|global)\.|^.*\//, '')
      .replace(/^(?:anthropic|openai)\./, '')
      .replaceAll('.', '-')
      .replace(/^gpt-35/, 'gpt-3-5')
      .replace(/[@-]default$|-latest$/, '')
      .replace(/-v1$|-v\d:0$|-1:0$/, '')
      .replace(/[-@](?:\d{8}|\d{6}|\d{4}-\d\d-\d\d|\d\d-\d{4}|\d{4})$/, '');
  const met = book.entries.flatMap(({ vendor, model }) => {
    const found = index.ofVendor(vendor, family(model), day);
    return found !== undefined && family(found.model) !== family(model) ? [`${model} ${found.model}`] : [];
  });
  expect(met).toEqual([]);
});

test.each([
  ['anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5-20250929'],
  ['anthropic', 'claude-haiku-4-5-latest', 'claude-haiku-4-5'],
  ['anthropic', 'claude-opus-5-5-20261010', 'claude-opus-5-5'],
  ['openai', 'gpt-4o', 'gpt-4o'],
  ['openai', 'gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
  ['openai', 'gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['openai', 'ft:gpt-4o-2024-08-06:acme::abc', 'ft:gpt-4o-2024-08-06'],
  ['openai', 'gpt-4', undefined],
  ['mistral', 'mistral-large-2411', 'mistral-large-latest'],
  ['gemini', 'models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['vertex', 'claude-opus-4-5@20251101', 'claude-opus-4-5@20251101'],
  ['vertex', 'claude-opus-4-5-20251101', 'claude-opus-4-5@20251101'],
  // Bedrock calls a name by the inference profile of the key's region, which costs more than the global one.
  ['bedrock', 'claude-sonnet-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['bedrock', 'claude-3-5-sonnet-20241022', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['bedrock', 'global.anthropic.claude-opus-5-5', 'global.anthropic.claude-opus-5-5'],
  ['together', 'gpt-oss-120b', 'openai/gpt-oss-120b'],
  ['nowhere', 'gpt-4o', undefined],
])('at %s, %s costs as %s', (vendor, model, expected) => {
  expect(index.ofVendor(vendor, model, day)?.model).toBe(expected);
});

test.each([
  ['gpt-4.1', 'openai gpt-4.1'],
  ['openai/gpt-5', 'openai gpt-5'],
  ['openai/gpt-4.1-nano', 'azure gpt-4.1-nano'],
  ['anthropic/claude-sonnet-4.5', 'anthropic claude-sonnet-4-5'],
  ['us.anthropic.claude-opus-5-5', 'anthropic claude-opus-5-5'],
  ['google/gemini-2.5-pro', 'gemini gemini-2.5-pro'],
  ['amazon/nova-lite-v1', 'bedrock amazon.nova-lite-v1:0'],
  ['x-ai/grok-4.7', 'xai grok-4.7'],
  ['moonshotai/kimi-k3', 'moonshot kimi-k3'],
  ['z-ai/glm-4.6', 'zhipu glm-4.6'],
  ['qwen-max', 'alibaba qwen-max'],
  // Sold by others than its maker only.
  ['meta-llama/llama-3.3-70b-instruct', undefined],
  ['llama-3.1-70b-instruct', undefined],
  ['no-such-model', undefined],
])('the maker of %s lists it as %s', (model, expected) => {
  expect(named(index.ofMaker(model, day))).toBe(expected);
});

test('a name without a date finds the newest dated one, and a name with a date the one without', () => {
  const dated = indexOf(
    entry('anthropic', 'claude-x-20250101', '1'),
    entry('anthropic', 'claude-x-20260101', '2'),
    entry('anthropic', 'claude-y', '3'),
    entry('anthropic', 'claude-y-20250101', '4'),
  );
  expect(inputOf(dated.ofVendor('anthropic', 'claude-x', day))).toBe('2');
  expect(inputOf(dated.ofVendor('anthropic', 'claude-x-latest', day))).toBe('2');
  expect(inputOf(dated.ofVendor('anthropic', 'claude-x-20250101', day))).toBe('1');
  expect(inputOf(dated.ofVendor('anthropic', 'claude-y-20260601', day))).toBe('3');
});

test('the latest entry that has come counts', () => {
  const changing = indexOf(
    entry('openai', 'm', '1', '2026-01-01'),
    entry('openai', 'm', '2', '2026-11-01'),
    entry('openai', 'm', '3', '2026-12-01'),
  );
  const on = (date: string) => inputOf(changing.ofVendor('openai', 'm', date));
  expect(['2025-12-31', '2026-01-01', '2026-10-31', '2026-11-01', '2026-11-30', '2027-01-01'].map(on)).toEqual([
    undefined,
    '1',
    '1',
    '2',
    '2',
    '3',
  ]);
});

test('a model that its vendor lists without a price has none, and its limits are known', () => {
  const half = indexOf(entry('mistral', 'm-2405', undefined), entry('mistral', 'm', '1'));
  expect(half.ofVendor('mistral', 'm-2405', day)).toBeUndefined();
  expect(half.ofMaker('m-2405', day)).toBeUndefined();
  expect(half.facts('mistral', 'm-2405')?.model).toBe('m-2405');
  expect(half.facts(undefined, 'm-2406')?.model).toBe('m');
  // A price that ended is not the price before it.
  const ended = indexOf(entry('mistral', 'm', '1', '2026-01-01'), entry('mistral', 'm', undefined, '2026-02-01'));
  expect(ended.ofVendor('mistral', 'm', day)).toBeUndefined();
  expect(inputOf(ended.ofVendor('mistral', 'm', '2026-01-31'))).toBe('1');
});

test('a more exact name counts before an earlier maker', () => {
  const two = indexOf(entry('openai', 'm', '1'), entry('voyage', 'm-2025-01-01', '2'), entry('voyage', 'm', '3'));
  expect(named(two.ofMaker('m-2025-01-01', day))).toBe('voyage m-2025-01-01');
  expect(named(two.ofMaker('m', day))).toBe('openai m');
});

/** Processor time of the least of some runs in microseconds: other work on the machine adds to it. */
const least = (runs: number, run: () => void): number =>
  Math.min(
    ...Array.from({ length: runs }, () => {
      const started = process.cpuUsage();
      run();
      return process.cpuUsage(started).user;
    }),
  );

test('the index is built within 30 ms, and a look-up takes at most 20 µs', () => {
  expect(least(10, () => void createBookIndex(book))).toBeLessThan(30_000);
  const models = book.entries.slice(0, 1000).map(({ model }) => model);
  const lookUps = least(10, () => {
    for (const model of models) index.ofMaker(`unknown/${model}-x`, day);
  });
  expect(lookUps / models.length).toBeLessThan(20);
});
