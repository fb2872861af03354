import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRecord } from '../lib/is-record.ts';

const messages = join(import.meta.dirname, '..', '..', 'messages');

/** The texts of a message: one, or one for each value of its selector. The text for all other values may be empty. */
const textsOf = (key: string, value: unknown): (readonly [string, string])[] => {
  if (typeof value === 'string') return [[key, value]];
  const variants: readonly unknown[] = Array.isArray(value) ? value : [];
  return variants.flatMap((variant): (readonly [string, string])[] =>
    isRecord(variant) && isRecord(variant['match'])
      ? Object.entries(variant['match'])
          .filter(([choice, text]) => text !== '' || !choice.endsWith('=*'))
          .map(([choice, text]) => [`${key} ${choice}`, String(text)])
      : [[key, '']],
  );
};

const catalogue = (language: string): Map<string, string> => {
  const files = readdirSync(join(messages, language)).map((name) =>
    readFileSync(join(messages, language, name), 'utf8'),
  );
  return new Map(
    files.flatMap((text) => {
      const texts: unknown = JSON.parse(text);
      return isRecord(texts) ? Object.entries(texts).flatMap(([key, value]) => textsOf(key, value)) : [];
    }),
  );
};
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();

const english = catalogue('en');
const chinese = catalogue('zh');

test('both languages have the same messages', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
});

test('both languages have the same inputs in a message', () => {
  const different = [...english].filter(
    ([key, text]) => placeholders(text).join() !== placeholders(chinese.get(key) ?? '').join(),
  );
  expect(different.map(([key]) => key)).toEqual([]);
});

test('no message is empty', () => {
  const empty = [...english, ...chinese].filter(([, text]) => text.trim() === '');
  expect(empty.map(([key]) => key)).toEqual([]);
});

test('Chinese messages are Chinese, except for names and terms', () => {
  const names = new Set([
    'footer_default',
    'column_id',
    'channel_id',
    'log_token_count',
    'log_filter_is',
    'log_refusal_rule rule=*',
    'health_share',
    'health_status',
    'user_oidc',
    'alert_destination_webhook',
    'alert_destination_slack',
    'alert_destination_telegram',
    'alert_address_url',
    'audit_comma',
    'dash_retiring_model',
    'model_can_pdf',
    'model_can_json_schema',
    'option_choice choice=*',
  ]);
  const latin = [...chinese].filter(([key, text]) => !names.has(key) && !/\p{Script=Han}/u.test(text));
  expect(latin.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
});

/** Messages with what a pattern must not find in them. */
const withWords = (texts: ReadonlyMap<string, string>, words: RegExp): readonly string[] =>
  [...texts].filter(([, text]) => words.test(text)).map(([key, text]) => `${key}: ${text}`);

test('C69 English messages state facts, without sentences about persons and without other terms for one thing', () => {
  const persons =
    /\b(?:nobody|somebody|anybody|everybody|anyone|someone|who|whom|whose|whoever|ask|asked|tells?|told)\b/i;
  const terms =
    /\b(?:books|drift|own times|usual|rests|goes out as|takes calls|log out|web site|API key of the token)\b/i;
  expect(withWords(english, persons)).toEqual([]);
  expect(withWords(english, terms)).toEqual([]);
  expect(withWords(english, /\s%/)).toEqual([]);
});

test('C70 Chinese messages have one term for one thing, full-width punctuation, and no blank before a percent sign', () => {
  expect(withWords(chinese, /注销|提供方|厂商|供应商|消耗|典型耗时|帐户|帐号|账号|您/)).toEqual([]);
  expect(withWords(chinese, /[\p{Script=Han}”」）][,.;:!?]|[,.;:!?]\p{Script=Han}|\([^)]*\p{Script=Han}/u)).toEqual([]);
  expect(withWords(chinese, /\s%|\} 个令牌，/)).toEqual([]);
  // The cost of a call is no quota.
  expect(
    [...chinese].filter(([key, text]) => /^log_(?:cost|total|charge_(?:amount|sum|at))/.test(key) && /额度/.test(text)),
  ).toEqual([]);
  expect([chinese.get('sign_out'), chinese.get('audit_system'), chinese.get('log_cost')]).toEqual([
    '退出登录',
    '系统',
    '费用',
  ]);
});

const specified = [
  'operation completed successfully',
  'login successful',
  'registration successful',
  'verification code sent, please check your email',
  'token reset and copied to clipboard',
  'invite link copied',
  'chat-app account bound',
  'email account bound',
  'account deleted',
  'logs cleared',
  'user updated',
  'user created',
  'reset e-mail sent, please check mailbox',
  'token created, click copy in the list to get the token',
  'token updated',
  'channel created',
  'channel updated',
  'redemption created',
  'redemption updated',
  'top-up success',
  'logout success',
  'channel test started, refresh to see results',
  'tested, took {seconds} s',
  'balance updated',
  'disabled channels deleted',
  'not logged in or login expired, please log in again',
  'log cleanup failed: {message}',
  'cannot connect to server normally!',
  'request failed',
  'the super administrator has not set a top-up link!',
  'cannot copy to clipboard, please copy manually',
  'expiry time format error!',
  'please retry in a few seconds, Turnstile is checking the user environment',
  'please enter your account name to confirm deletion',
  'please enter top-up code',
];

test.each(specified)('ERR-04 ERR-01 the catalogue has the specified text: %s', (words) => {
  const texts = [...english.values()].map((text) => text.toLowerCase());
  expect(texts.some((text) => text.includes(words.toLowerCase()))).toBe(true);
});
