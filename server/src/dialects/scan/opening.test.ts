import { expect, test } from 'vitest';
import { anthropicMessages } from '../anthropic/anthropic-messages.ts';
import type { Dialect, Opening } from '../dialect.ts';
import { dialectOf } from '../dialects.ts';
import { openAiChat } from '../openai/openai-chat.ts';
import { openAiResponses } from '../responses/openai-responses.ts';

const openingIn = (dialect: Dialect, body: object, path = '/v1/x'): Opening | null => {
  const inbound = dialect.read(Buffer.from(JSON.stringify(body)), { path, query: '', contentType: '' });
  if (inbound.kind === 'fault') throw new Error(inbound.message);
  return inbound.opening?.() ?? null;
};

const user = (text: string) => ({ role: 'user', content: text });
const assistant = { role: 'assistant', content: 'Yes, "it" is.' };

const dialects: readonly (readonly [string, (turns: readonly object[]) => Opening | null])[] = [
  ['openai-chat', (messages) => openingIn(openAiChat, { model: 'm', messages })],
  ['anthropic-messages', (messages) => openingIn(anthropicMessages, { model: 'm', max_tokens: 9, messages })],
  ['openai-responses', (input) => openingIn(openAiResponses, { model: 'm', input })],
];

test.each(dialects)(
  'RELAY-05 a conversation in %s is known by its first question, and whether it goes on',
  (_, read) => {
    const first = read([user('Is it?')]);
    expect(first).toMatchObject({ continued: false });
    const next = read([user('Is it?'), assistant, user('Sure?')]);
    expect(next).toEqual({ text: first?.text, continued: true });
    expect(read([user('Is it so?')])?.text).not.toBe(first?.text);
    expect(read([assistant])).toBeNull();
  },
);

test('RELAY-05 system messages and moving cache marks make no other conversation', () => {
  const system = (time: string) => ({ role: 'system', content: `It is ${time}.` });
  const read = (messages: readonly object[]) => openingIn(openAiChat, { model: 'm', messages })?.text;
  expect(read([system('noon'), user('a'), assistant])).toBe(read([system('night'), user('a')]));
  const marked = (mark: object) => ({ role: 'user', content: [{ type: 'text', text: 'long', ...mark }] });
  expect(read([marked({ cache_control: { type: 'ephemeral', ttl: '1h' } })])).toBe(read([marked({}), assistant]));
});

test('RELAY-05 Gemini’s contents are read the same way, with or without a role', () => {
  const path = '/v1beta/models/m:generateContent';
  const gemini = dialectOf(path, '');
  if (gemini === null) throw new Error('there is no such dialect');
  const parts = [{ text: 'hi' }];
  const opening = (contents: readonly object[]) => openingIn(gemini, { contents }, path);
  expect(opening([{ parts }])).toMatchObject({ continued: false });
  const both = [
    { role: 'user', parts },
    { role: 'model', parts: [{ text: 'yes' }] },
  ];
  expect(opening(both)).toMatchObject({ continued: true });
});

test('RELAY-05 a name that the client gives to a common beginning goes before everything else', () => {
  const read = (text: string) => openingIn(openAiChat, { model: 'm', prompt_cache_key: 'k', messages: [user(text)] });
  expect(read('a')).toEqual(read('b'));
  expect(read('a')).toMatchObject({ continued: true });
  expect(openingIn(openAiResponses, { model: 'm', prompt_cache_key: 'k', input: 'a' })).toEqual(read('a'));
  expect(openingIn(openAiResponses, { model: 'm', input: 'a' })).toBeNull();
});
