import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testPrice, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import { promptTokens, textTokens } from '../../oracles/count-tokens.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const output = 'Water flows over the weir.';
const messages = [{ role: 'user', content: 'What does a weir do?' }];

const parts = (prompt: string, completion: string): string =>
  `{"prompt_tokens":${prompt},"completion_tokens":${completion}}`;
const plain = (usage: string, content = output): string =>
  `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(content)}},"finish_reason":"stop"}],"usage":${usage}}`;
const streamed = (usage: string, content: string): readonly string[] =>
  [
    `{"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":"stop"}]}`,
    `{"id":"c","choices":[],"usage":${usage}}`,
    '[DONE]',
  ].map((data) => `data: ${data}\n\n`);

const ask = async (isStream: boolean, members: object) => {
  const answer = await relay.ask({ key: user.key, body: { messages, stream: isStream, ...members } });
  expect([answer.status, answer.complete]).toEqual([200, true]);
  const log = await relay.logOf(answer.requestId);
  const charge = await relay.chargeOf(answer.requestId);
  return { prompt: log?.['prompt_tokens'], completion: log?.['completion_tokens'], charge };
};

/** `counted`: the report is not believed, and the gateway's own count is charged. */
const expected = (prompt: number | 'counted', completion: number | 'counted', content: string = output) => {
  const tokens = {
    prompt: prompt === 'counted' ? promptTokens(messages) : prompt,
    completion: completion === 'counted' ? textTokens(content) : completion,
  };
  const estimated = prompt === 'counted' || completion === 'counted' ? 1 : 0;
  return { ...tokens, charge: { amount: testPrice(tokens), estimated } };
};

const withReasoning = (completion: number, reasoning: number) =>
  `{"prompt_tokens":11,"completion_tokens":${completion},"completion_tokens_details":{"reasoning_tokens":${reasoning}}}`;
const many = output.repeat(100);

test.each([
  ['its limit', { max_tokens: 50 }, parts('11', '50'), output, 50],
  ['a limit that the vendor rounds up', { max_tokens: 50 }, parts('11', '120'), output, 120],
  ['its limit for each choice', { max_tokens: 5000, n: 3 }, parts('11', '15000'), output, 15_000],
  ['reasoning beyond the limit', { max_tokens: 50 }, withReasoning(9000, 8950), output, 9000],
  ['an answer longer than the limit', { max_tokens: 50 }, parts('11', '2000'), many, 2000],
  ['not a hundred million', { max_tokens: 50 }, parts('11', '100000000'), output, 'counted'],
  ['not ten thousand', { max_tokens: 50 }, parts('11', '10000'), output, 'counted'],
  ['not reasoning without end', { max_tokens: 50 }, withReasoning(1_000_000, 999_990), output, 'counted'],
  ['not a hundred million without a limit', {}, parts('11', '100000000'), output, 'counted'],
  ['long reasoning without a limit', {}, parts('11', '128000'), output, 128_000],
  ['no rest of a total', { max_tokens: 50 }, '{"prompt_tokens":11,"total_tokens":100000}', output, 'counted'],
] as const)(
  'S12 usage is believed up to what the request allows: %s',
  async (_, members, usage, content, completion) => {
    for (const isStream of [false, true]) {
      relay.upstream.behave(() => (isStream ? { events: streamed(usage, content) } : { body: plain(usage, content) }));
      expect(await ask(isStream, members)).toEqual(expected(11, completion, content));
    }
  },
);

test.each([
  ['text alone', {}, '1000000', 'counted'],
  ['a page that the upstream fetches', { web_search_options: {} }, '1000000', 1_000_000],
  ['more than any model reads', { web_search_options: {} }, '20000000', 'counted'],
] as const)('S12 the prompt is bounded by its bytes and by what it names: %s', async (_, members, prompt, charged) => {
  relay.upstream.behave(() => ({ body: plain(parts(prompt, '7')) }));
  expect(await ask(false, members)).toEqual(expected(charged, 7));
});

test('S12 the charge shows which part of the report was not believed', async () => {
  relay.upstream.behave(() => ({ body: plain(parts('11', '100000000')) }));
  const { requestId } = await relay.ask({ key: user.key, body: { messages, max_tokens: 50 } });
  const id = String((await relay.logOf(requestId))?.['id']);
  expect(await relay.root.data('GET', `/api/log/${id}/charge`)).toMatchObject({
    explained: true,
    estimated: true,
    parts: [
      { part: 'prompt', tokens: 11, source: 'reported' },
      { part: 'completion', tokens: textTokens(output), source: 'implausible' },
    ],
  });
});
