import { expect, test } from 'vitest';
import type { BookEntry } from '@weir/contract/prices/price-book';
import { currentModels } from './current-models.ts';
import { readShippedBook } from './shipped-book.ts';

const price = { rates: { input: '1', output: '2' } };
const entry = (vendor: string, model: string, rest: Partial<BookEntry> = {}): BookEntry => ({
  vendor,
  model,
  mode: 'chat',
  price,
  from: '2026-11-01',
  ...rest,
});
const modelsOf = (type: number, ...entries: readonly BookEntry[]) =>
  currentModels({ name: 'test', entries: [...entries] }, '2026-11-24').get(type);

test('a channel type offers the models of its vendor that have come, have a price and have not ended', () => {
  const { price: _, ...withoutPrice } = entry('openai', 'no-price');
  expect(
    modelsOf(
      1,
      entry('openai', 'b'),
      entry('openai', 'a'),
      entry('openai', 'a', { from: '2026-10-01' }),
      entry('openai', 'next', { from: '2026-12-01' }),
      entry('openai', 'ended', { ends: '2026-11-24' }),
      entry('openai', 'ends-tomorrow', { ends: '2026-11-25' }),
      entry('openai', 'film', { mode: 'video' }),
      entry('openai', 'ft:a'),
      withoutPrice,
      entry('azure', 'other'),
    ),
  ).toEqual(['b', 'a', 'ends-tomorrow']);
});

test('Bedrock offers Claude by its plain name, and other models by ids without a region', () => {
  const entries = [
    'anthropic.claude-opus-4-5-20251101-v1:0',
    'eu.anthropic.claude-opus-4-5-20251101-v1:0',
    'us.anthropic.claude-mythos-5',
    'amazon.nova-lite-v1:0',
    'us.amazon.nova-lite-v1:0',
  ].map((model) => entry('bedrock', model));
  expect(modelsOf(33, ...entries)).toEqual(['claude-opus-4-5-20251101', 'claude-mythos-5', 'amazon.nova-lite-v1:0']);
});

test('the shipped book has current models of the vendors, and none for relays', () => {
  const models = currentModels(readShippedBook(), '2026-11-24');
  expect(models.get(1)).toEqual(expect.arrayContaining(['gpt-5.5', 'gpt-4.1', 'whisper-1', 'gpt-image-2']));
  expect(models.get(14)).toContain('claude-opus-5-5');
  expect(models.get(24)).toContain('gemini-2.5-pro');
  expect(models.get(51)).toEqual(models.get(24));
  expect(models.get(33)).toContain('claude-opus-5-5');
  expect(models.get(42)).toContain('claude-opus-5-5');
  expect([models.get(8), models.get(20), models.get(30)]).toEqual([[], [], []]);
});
