import { expect, test } from 'vitest';
import { currentModels } from './current-models.ts';
import { replacementOf } from './replacement.ts';
import { readShippedBook } from './shipped-book.ts';

const models = currentModels(readShippedBook(), '2026-11-24', '2027-01-23');

test.each([
  [14, 'claude-sonnet-4-5-20250929', 'claude-sonnet-5-5'],
  [14, 'claude-3-5-haiku-20241022', 'claude-haiku-5-5'],
  [1, 'gpt-5-2025-08-07', 'gpt-5.6'],
  [1, 'gpt-image-1.5', 'gpt-image-2'],
  [1, 'gpt-realtime', 'gpt-realtime-2.1'],
  [1, 'gpt-6.1-sol', undefined],
  [1, 'o3-2025-04-16', undefined],
  [33, 'anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-5-5'],
  [24, 'gemini-3.1-flash-lite', 'gemini-3.5-flash-lite'],
])('on type %i, %s is replaced by %s', (type, model, replacement) => {
  expect(replacementOf(model, models.get(type) ?? [])).toBe(replacement);
});
