import { expect, test } from 'vitest';
import { channelTypeModels } from '@weir/contract/catalogue/model-catalogue';
import type { BookEntry } from '@weir/contract/prices/price-book';
import { currentModels, versionOf } from './current-models.ts';
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
  const models = modelsOf(
    1,
    entry('openai', 'gpt-5'),
    entry('openai', 'gpt-6'),
    entry('openai', 'gpt-6', { from: '2026-10-01' }),
    entry('openai', 'next', { from: '2026-12-01' }),
    entry('openai', 'ended', { ends: '2026-11-24' }),
    entry('openai', 'gpt-5-2025-08-07', { ends: '2026-11-25' }),
    entry('openai', 'film', { mode: 'video' }),
    entry('openai', 'ft:gpt-5'),
    withoutPrice,
    entry('azure', 'other'),
  );
  expect(models?.slice(0, 4)).toEqual(['gpt-6', 'gpt-5', 'gpt-5-2025-08-07', 'text-embedding-ada-002']);
});

test('names of the catalogue remain for uses of which the book has no model, and for types whose vendor it lacks', () => {
  const names = modelsOf(1, entry('openai', 'gpt-6'), entry('openai', 'whisper-2', { mode: 'transcription' }));
  expect(names).toEqual(expect.arrayContaining(['text-embedding-3-small', 'dall-e-3', 'tts-1']));
  for (const gone of ['gpt-4o', 'o1', 'whisper-1', 'text-davinci-003']) expect(names).not.toContain(gone);
  expect(modelsOf(36, entry('openai', 'gpt-6'))).toEqual(channelTypeModels['36']);
});

test('gateways and servers of OpenAI models offer what OpenAI does, and those with a list of their own do not', () => {
  const ofOpenAi = modelsOf(1, entry('openai', 'gpt-6'));
  for (const type of [2, 4, 8, 13, 21, 22, 50]) expect(modelsOf(type, entry('openai', 'gpt-6'))).toEqual(ofOpenAi);
  for (const type of [20, 30, 44]) expect(modelsOf(type, entry('openai', 'gpt-6'))).toEqual(channelTypeModels[type]);
});

test('the order is use, then families of many and new models, then the newest version', () => {
  const names = ['kimi-k2.5', 'kimi-k3', 'kimi-k2.7-code', 'moonshot-v1-8k', 'moonshot-v1-128k', 'moonshot-v1-auto'];
  expect(
    modelsOf(25, entry('moonshot', 'a-embedding', { mode: 'embedding' }), ...names.map((n) => entry('moonshot', n))),
  ).toEqual([
    'kimi-k3',
    'kimi-k2.7-code',
    'kimi-k2.5',
    'moonshot-v1-128k',
    'moonshot-v1-8k',
    'moonshot-v1-auto',
    'a-embedding',
  ]);
});

test.each([
  ['gpt-5.5-2026-04-23', 5.5],
  ['claude-opus-4-8', 4.8],
  ['claude-haiku-4-5-20251001', 4.5],
  ['anthropic.claude-opus-4-5-20251101-v1:0', 4.5],
  ['gpt-4o-mini', 4],
  ['gpt-oss-120b', -1],
  ['deepseek-v3.2', 3.2],
  ['moonshot-v1-128k', 1],
  ['ministral-3-14b-2512', 3],
  ['qwen3-vl-32b-instruct', 3],
  ['@cf/meta/llama-3.3-70b-instruct-fp8-fast', 3.3],
  ['mistral-large-latest', -1],
])('the version of %s is %d', (name, version) => {
  expect(versionOf(name)).toBe(version);
});

test('Bedrock offers Claude by its plain name, and other models by ids without a region', () => {
  const entries = [
    'anthropic.claude-opus-4-5-20251101-v1:0',
    'eu.anthropic.claude-opus-4-5-20251101-v1:0',
    'us.anthropic.claude-mythos-5',
    'amazon.nova-lite-v1:0',
    'us.amazon.nova-lite-v1:0',
  ].map((model) => entry('bedrock', model));
  expect(modelsOf(33, ...entries)).toEqual(['claude-mythos-5', 'claude-opus-4-5-20251101', 'amazon.nova-lite-v1:0']);
});

test('the shipped book has current models of the vendors, and each name once', () => {
  const models = currentModels(readShippedBook(), '2026-11-24');
  expect(models.get(1)).toEqual(expect.arrayContaining(['gpt-5.5', 'gpt-4.1', 'whisper-1', 'gpt-image-2']));
  expect(models.get(14)?.slice(0, 3)).toEqual(['claude-haiku-5-5', 'claude-opus-5-5', 'claude-sonnet-5-5']);
  expect(models.get(24)).toContain('gemini-2.5-pro');
  expect(models.get(51)).toEqual(models.get(24));
  expect(models.get(33)).toContain('claude-opus-5-5');
  expect(models.get(42)).toContain('claude-opus-5-5');
  for (const [type, names] of models) expect(new Set(names).size, String(type)).toBe(names.length);
});
