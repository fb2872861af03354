import { expect, test } from 'vitest';
import { firstModel } from './first-model.ts';

test('C9 C39 the first model is one that chats, where any does', () => {
  expect(firstModel(['babbage-002-embedding', 'dall-e-3', 'gpt-4o-mini', 'tts-1'])).toBe('gpt-4o-mini');
  expect(firstModel(['text-embedding-3-small', 'whisper-1'])).toBe('text-embedding-3-small');
  expect(firstModel([])).toBeUndefined();
});
