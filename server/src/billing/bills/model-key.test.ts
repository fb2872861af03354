import { expect, test } from 'vitest';
import { modelKey } from './model-key.ts';

test.each([
  ['gpt-4o-2024-08-06', 'gpt-4o'],
  ['gpt-4o', 'gpt-4o'],
  ['gpt-3.5-turbo-0125', 'gpt-3-5-turbo'],
  ['gpt-4-1106-preview', 'gpt-4-1106-preview'],
  ['chatgpt-4o-latest', 'chatgpt-4o'],
  ['Claude Sonnet 4.5', 'claude-sonnet-4-5'],
  ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['Claude 3.5 Sonnet 2024-10-22', 'claude-3-5-sonnet'],
  ['claude-3-5-sonnet@20241022', 'claude-3-5-sonnet'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['openai/gpt-4.1-mini', 'gpt-4-1-mini'],
  ['models/gemini-2.5-pro', 'gemini-2-5-pro'],
  ['ft:gpt-4o-2024-08-06:weir::abc', 'ft:gpt-4o-2024-08-06:weir::abc'],
  ['o3', 'o3'],
  ['-latest', '-latest'],
  ['llama/', 'llama/'],
])('the models of a bill are matched by name: %s is %s', (name, key) => {
  expect(modelKey(name)).toBe(key);
});
