import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BookEntry, priceBookSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decimalText, readPrice } from './list-price.ts';
import { root } from './steps/root.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'price-book-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The text of the book that the script makes of these rows, and what it prints. */
const generate = (models: readonly object[]) => {
  const [facts, to] = [join(folder, 'facts.json'), join(folder, 'book.json')];
  writeFileSync(facts, JSON.stringify({ what: 'sample', models }));
  const args = [join(root, 'scripts/price-book.ts'), facts, '--name', '2026-11', '--to', to];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return { text: readFileSync(to, 'utf8'), printed };
};

const entriesOf = (models: readonly object[]): readonly BookEntry[] =>
  v
    .parse(priceBookSchema, JSON.parse(generate(models).text))
    .entries.filter(({ model }) => model !== 'gpt-4o-2024-05-13');
const priceOf = (
  mode: BookEntry['mode'],
  tokens?: Readonly<Record<string, number>>,
  units?: Readonly<Record<string, number>>,
) => readPrice({ usd_per_million_tokens: tokens, usd_per_unit: units }, { mode, judges: false });

test('numbers of the list become the decimals that they are written as, to 15 digits behind the point', () => {
  expect(
    [3, 0.1, 7.5e-5, 2.778e-5, 0.000833333333333, 0.0002833333333333333, 1e21, 0].map((value) => decimalText(value)),
  ).toEqual([
    '3',
    '0.1',
    '0.000075',
    '0.00002778',
    '0.000833333333333',
    '0.000283333333333',
    '1000000000000000000000',
    '0',
  ]);
  // What binary fractions leave behind in a list that was calculated.
  expect(decimalText(0.1 + 0.2)).toBe('0.3');
});

test('vendors have the names of the catalogue, and rows that name no model are left out and counted', () => {
  const chat = { mode: 'chat', usd_per_million_tokens: { input: 1, output: 2 } };
  const rows = [
    { ...chat, provider: 'vertex_ai-anthropic_models', id: 'vertex_ai/claude-opus-5@default' },
    { ...chat, provider: 'bedrock_converse', id: 'us.amazon.nova-lite-v1:0' },
    { ...chat, provider: 'bedrock', id: 'us-east-1/zai.glm-5' },
    { ...chat, provider: 'bedrock', id: '*/1-month-commitment/cohere.command-text-v14' },
    { ...chat, provider: 'azure', id: 'hd/1024-x-1024/dall-e-3' },
    { ...chat, provider: 'azure', id: 'eu/gpt-5', usd_per_million_tokens: { input: 9, output: 9 } },
    { ...chat, provider: 'azure', id: 'gpt-5' },
    { ...chat, provider: 'together_ai', id: 'together-ai-up-to-4b' },
    { ...chat, provider: 'dashscope', id: 'qwen-max' },
  ];
  const { text, printed } = generate(rows);
  const book = v.parse(priceBookSchema, JSON.parse(text));
  expect(book.entries.map(({ vendor, model }) => `${vendor} ${model}`)).toEqual([
    'alibaba qwen-max',
    'azure gpt-5',
    'bedrock us.amazon.nova-lite-v1:0',
    'bedrock zai.glm-5',
    'openai gpt-4o-2024-05-13',
    'vertex claude-opus-5@default',
  ]);
  expect(book.entries[1]?.price?.rates).toEqual({ input: '1', output: '2' });
  expect(printed).toMatch(/1 rows of commitments[^]*1 rows of picture sizes[^]*1 rows of size classes/);
  expect(printed).toMatch(/1 rows of a region beside others/);
});

test('of two rows of a model the dearer one is kept, whatever their order', () => {
  const row = (input: number) => ({
    id: 'm',
    provider: input > 1 ? 'cohere' : 'cohere_chat',
    mode: 'chat',
    usd_per_million_tokens: { input, output: 4 },
  });
  expect(generate([row(1), row(2)]).text).toBe(generate([row(2), row(1)]).text);
  expect(entriesOf([row(1), row(2)])).toMatchObject([{ price: { rates: { input: '2' } } }]);
});

test('parts, tiers and classes have the names of the contract; a part that costs as its side is left out', () => {
  const price = priceOf('chat', {
    input: 1.25,
    output: 10,
    cache_read: 0.125,
    cache_write: 0,
    cache_write_1h: 1,
    audio_input: 3,
    image_input: 1.25,
    reasoning: 12,
    audio_output: 20,
    image_output: 10,
    input_above_200k: 2.5,
    output_above_200k: 15,
    input_above_272k: 5,
    input_batch: 0.625,
    output_flex: 0,
    output_priority: 18,
  });
  expect(price).toEqual({
    rates: {
      input: '1.25',
      output: '10',
      cache_read: '0.125',
      audio_prompt: '3',
      reasoning: '12',
      audio_completion: '20',
    },
    tiers: [
      { above: 200_000, input: '2.5', output: '15' },
      { above: 272_000, input: '5' },
    ],
    classes: { batch: { input: '0.625' }, priority: { output: '18' } },
  });
});

test('no price is 0 because the list lacks it', () => {
  expect(priceOf('chat', { input: 0, output: 0, cache_read: 0 })).toBeUndefined();
  expect(priceOf('chat', { input: 0, output: 2.8 })).toBeUndefined();
  expect(priceOf('chat', { output: 7.5 })).toBeUndefined();
  expect(priceOf('chat', { input: 0.14, output: 0 })).toBeUndefined();
  expect(priceOf('chat', { input: 0, output: 0 }, { image: 0.08 })).toBeUndefined();
  expect(priceOf('embedding', { output: 0 }, { query: 0.000_07 })).toBeUndefined();
  expect(priceOf('embedding', { input: 0.13, output: 0 })).toEqual({ rates: { input: '0.13', output: '0' } });
});

test('an output without a price costs as the only kind of output of its mode', () => {
  expect(priceOf('image', { input: 5, image_output: 30, image_input: 8 })).toEqual({
    rates: { input: '5', output: '30', image_prompt: '8' },
  });
  expect(priceOf('speech', { input: 0.6, audio_output: 12 })).toEqual({ rates: { input: '0.6', output: '12' } });
});

test('units are those that calls of the mode are counted in', () => {
  expect(priceOf('transcription', undefined, { second_in: 7.5e-5, second_out: 0 })).toEqual({
    units: { second: '0.000075' },
  });
  expect(priceOf('speech', undefined, { character: 1.5e-5 })).toEqual({ units: { character: '0.000015' } });
  // 15 characters a second.
  expect(priceOf('speech', undefined, { second_out: 0.000_25 })).toEqual({
    units: { character: '0.000016666666667' },
  });
  expect(priceOf('rerank', { input: 0, output: 0 }, { query: 0.002 })).toEqual({ units: { search: '0.002' } });
  expect(priceOf('image', undefined, { image: 0.04 })).toEqual({ units: { image: '0.04' } });
});

test('the same list makes the same book, one model a line', () => {
  const rows = ['b', 'a', 'c'].map((id) => ({
    id,
    provider: 'openai',
    mode: 'chat',
    usd_per_million_tokens: { input: 1, output: 2 },
    context: 1000,
    max_output: 0,
    can: ['tools'],
    ends: '2027-01-20',
    source: 'https://example.com/prices',
  }));
  const { text } = generate(rows);
  expect(generate(rows.toReversed()).text).toBe(text);
  expect(text.split('\n')[1]).toBe(
    '{"vendor":"openai","model":"a","mode":"chat","price":{"rates":{"input":"1","output":"2"}},"from":"2026-11-01",' +
      '"source":"https://example.com/prices","context":1000,"can":["tools"],"ends":"2027-01-20"},',
  );
  expect(text.endsWith('}\n]}\n')).toBe(true);
});
