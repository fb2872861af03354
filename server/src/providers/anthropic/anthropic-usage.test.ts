import { expect, test } from 'vitest';
import { anthropicUsage } from './anthropic-usage.ts';

const start = {
  input_tokens: 10,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
  output_tokens: 1,
};

test('PROVIDER-14 the usage at the end of a stream replaces that at its start, whose other counts stay', () => {
  expect(anthropicUsage({ output_tokens: 7, cache_read_input_tokens: null }, start)).toMatchObject({
    prompt: 113,
    completion: 7,
    parts: { cacheRead: 3, cacheWrite: 60, cacheWriteLong: 40 },
  });
});

test('PROVIDER-14 tokens written to the cache after the start of a stream are counted, each at its own price', () => {
  const grown = { input_tokens: 12, cache_creation_input_tokens: 500, output_tokens: 90 };
  expect(anthropicUsage(grown, start)).toMatchObject({
    prompt: 515,
    completion: 90,
    parts: { cacheWrite: 460, cacheWriteLong: 40 },
  });
  const cache_creation = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 };
  expect(anthropicUsage({ ...grown, cache_creation }, start).parts).toMatchObject({
    cacheWrite: 100,
    cacheWriteLong: 400,
  });
});
