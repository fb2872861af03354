import { expect, test } from 'vitest';
import { amaLink, nextChatLink, openCatLink } from './client-links.ts';

const link = { key: 'sk-abc', address: 'https://llm.example.com', chatLink: '' };

test('TOK-06 TOK-07 opens the public web chat with key and address where no chat link is stored', () => {
  const address = nextChatLink(link);
  expect(address).toMatch(/^https:\/\/app\.nextchat\.dev\/#\/\?settings=/);
  const settings = decodeURIComponent(address.split('settings=')[1] ?? '');
  expect(settings).toBe('{"key":"sk-abc","url":"https://llm.example.com"}');
});

test('TOK-07 uses the stored chat link', () => {
  expect(nextChatLink({ ...link, chatLink: 'https://chat.example.com/' })).toMatch(
    /^https:\/\/chat\.example\.com\/#\/\?settings=/,
  );
});

test('TOK-06 builds the links of the two client apps', () => {
  expect(amaLink(link)).toBe('ama://set-api-key?server=https%3A%2F%2Fllm.example.com&key=sk-abc');
  expect(openCatLink(link)).toBe('opencat://team/join?domain=https%3A%2F%2Fllm.example.com&token=sk-abc');
});
