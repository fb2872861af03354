import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRecord } from '../lib/is-record.ts';

const messages = join(import.meta.dirname, '..', '..', 'messages');

const catalogue = (language: string): Map<string, string> => {
  const files = readdirSync(join(messages, language)).map((name) =>
    readFileSync(join(messages, language, name), 'utf8'),
  );
  return new Map(
    files.flatMap((text) => {
      const texts: unknown = JSON.parse(text);
      return isRecord(texts) ? Object.entries(texts).map(([key, value]) => [key, String(value)] as const) : [];
    }),
  );
};
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();

const english = catalogue('en');
const chinese = catalogue('zh');

test('both languages say the same things', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
});

test('both languages name the same values in a text', () => {
  const different = [...english].filter(
    ([key, text]) => placeholders(text).join() !== placeholders(chinese.get(key) ?? '').join(),
  );
  expect(different.map(([key]) => key)).toEqual([]);
});

test('no text is empty', () => {
  const empty = [...english, ...chinese].filter(([, text]) => text.trim() === '');
  expect(empty.map(([key]) => key)).toEqual([]);
});

test('Chinese texts are Chinese, but for names and terms', () => {
  const names = new Set([
    'footer_default',
    'column_id',
    'channel_id',
    'log_token_count',
    'log_filter_is',
    'health_share',
    'health_status',
    'user_oidc',
  ]);
  const latin = [...chinese].filter(([key, text]) => !names.has(key) && !/\p{Script=Han}/u.test(text));
  expect(latin.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
});
