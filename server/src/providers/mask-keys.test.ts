import { describe, expect, test } from 'vitest';
import { maskKeys } from './mask-keys.ts';

describe('maskKeys', () => {
  test.each([
    'sk-proj-abcdefghijklmnop1234567890',
    'sk-or-v1-0123456789abcdef',
    'sk-abcdef**********wxyz',
    'gsk_abcdefghijklmnop',
    'fk123456-abcdefgh1234',
    'fastgpt-abcdefghij',
    'xai-abcdefghijkl',
    'ak-abcdefgh12345',
    'AIzaSyA1234567890abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh',
    'bce-v3/ALTAK-abcdefgh/0123456789',
    'Bearer abcdefghijklmnop',
  ])('RELAY-01 hides %s in a sentence and in JSON', (key) => {
    for (const text of [
      `Incorrect API key provided: ${key}. Look at https://x.example.`,
      JSON.stringify({ message: key }),
    ]) {
      const masked = maskKeys(text);
      expect(masked).toContain('***');
      for (const part of key.split(/[-_./ ]/).filter((piece) => piece.length > 8)) expect(masked).not.toContain(part);
    }
  });

  test('RELAY-01 hides credentials in an address', () => {
    expect(maskKeys('GET https://x.example/a?access_token=abc123def456&x=1 failed')).toBe(
      'GET https://x.example/a?***&x=1 failed',
    );
  });

  test('RELAY-01 leaves ordinary words alone', () => {
    for (const text of [
      'The model gpt-4o does not exist',
      'risk-averse task-oriented',
      'max_tokens is too large: 5000',
      'token limit',
    ]) {
      expect(maskKeys(text)).toBe(text);
    }
  });
});
