import { chargeSchema } from '@weir/contract/prices/charges';
import type { Rates } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import { endpointUpstream } from '../../fakes/fake-endpoints.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { awsEvent } from '../../fakes/vendors/aws-messages.ts';
import { bedrockForm, bedrockKey } from '../../fakes/vendors/fake-bedrock.ts';
import { geminiForm } from '../../fakes/vendors/fake-gemini.ts';
import { createFakeVertex } from '../../fakes/vendors/fake-vertex.ts';
import { cardQuota, type UsedTokens } from '../../oracles/card-oracle.ts';
import { eventData } from '../../parsing/event-data.ts';

/** A gateway after its first start: no option was ever set. */
let relay: RelayApp;
let user: RelayUser;
let upstreams: Readonly<Record<'chat' | 'azure' | 'anthropic' | 'bedrock' | 'vertex' | 'gemini', FakeUpstream>>;

beforeAll(async () => {
  relay = await buildRelayApp({ unpriced: 'as on a first start' });
  upstreams = {
    chat: await relay.addUpstream({ path: /./ }),
    azure: await relay.addUpstream({ path: /./, keyHeader: 'api-key' }),
    anthropic: await relay.addUpstream({ form: anthropicForm, path: /./, keyHeader: 'x-api-key' }),
    bedrock: await relay.addUpstream({ form: bedrockForm, path: /./, key: bedrockKey }),
    vertex: await relay.addUpstream(await createFakeVertex().start()),
    gemini: await relay.addUpstream({ form: geminiForm, path: /./, keyHeader: 'x-goog-api-key' }),
  };
  user = await relay.addUser({ quota: 10_000_000_000 });
});
afterAll(() => relay.close());

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const named = (type: string, event: object = {}): string => `event: ${type}\n${data({ type, ...event })}`;

interface Answer {
  readonly body: string;
  readonly events: readonly (string | Buffer)[];
}

/** An answer of OpenAI's format. `completion` includes reasoning, `prompt` what was read from a cache. */
const chatAnswer = (usage: object): Answer => {
  const choice = { index: 0, finish_reason: 'stop' };
  const body = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
  const chunk = { ...body, object: 'chat.completion.chunk' };
  return {
    body: JSON.stringify({ ...body, choices: [{ ...choice, message: { role: 'assistant', content: 'Hi' } }], usage }),
    events: [
      data({ ...chunk, choices: [{ ...choice, delta: { role: 'assistant', content: 'Hi' } }] }),
      data({ ...chunk, choices: [], usage }),
      'data: [DONE]\n\n',
    ],
  };
};

const claudeAnswer = ({ output_tokens: output, ...input }: { readonly output_tokens: number }): Answer => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
  const content = [{ type: 'text', text: 'Hi' }];
  const begun = { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } };
  return {
    body: JSON.stringify({ ...message, content, stop_reason: 'end_turn', usage: { ...input, output_tokens: output } }),
    events: [
      named('message_start', { message: begun }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } }),
      named('message_stop'),
    ],
  };
};

/** Bedrock frames the same events. */
const bedrockAnswer = (usage: { readonly output_tokens: number }): Answer => {
  const { body, events } = claudeAnswer(usage);
  const payloads = events.flatMap((event) => eventData(String(event)));
  return {
    body,
    events: payloads.map((each) => awsEvent('chunk', { bytes: Buffer.from(each).toString('base64') })),
  };
};

const geminiAnswer = (usageMetadata: object): Answer => {
  const content = { role: 'model', parts: [{ text: 'Hi' }] };
  const answer = { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
  return { body: JSON.stringify(answer), events: [`data: ${JSON.stringify(answer)}\r\n\r\n`] };
};

const cachedChat = {
  prompt_tokens: 12_345,
  completion_tokens: 678,
  total_tokens: 13_023,
  prompt_tokens_details: { cached_tokens: 5001 },
  completion_tokens_details: { reasoning_tokens: 101 },
};
const cachedChatUse: UsedTokens = { prompt: 12_345, completion: 678, parts: { cache_read: 5001, reasoning: 101 } };
const longChat = { prompt_tokens: 272_001, completion_tokens: 10, total_tokens: 272_011 };
const writtenClaude = {
  input_tokens: 1003,
  cache_read_input_tokens: 2001,
  cache_creation_input_tokens: 307,
  cache_creation: { ephemeral_5m_input_tokens: 205, ephemeral_1h_input_tokens: 102 },
  output_tokens: 77,
};
const writtenClaudeUse: UsedTokens = {
  prompt: 3311,
  completion: 77,
  parts: { cache_read: 2001, cache_write: 205, cache_write_1h: 102 },
};
const heardGemini = {
  promptTokenCount: 5003,
  candidatesTokenCount: 70,
  thoughtsTokenCount: 9,
  cachedContentTokenCount: 1001,
  totalTokenCount: 5082,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 4703 },
    { modality: 'AUDIO', tokenCount: 300 },
  ],
};
const heardGeminiUse: UsedTokens = {
  prompt: 5003,
  completion: 79,
  parts: { cache_read: 1001, audio_prompt: 300, reasoning: 9 },
};
const geminiOf = (prompt: number) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: 100,
  cachedContentTokenCount: 1000,
  totalTokenCount: prompt + 100,
});
const geminiUseOf = (prompt: number): UsedTokens => ({ prompt, completion: 100, parts: { cache_read: 1000 } });

interface Case {
  readonly type: number;
  readonly vendor: string;
  readonly upstream: keyof typeof upstreams;
  readonly model: string;
  readonly answer: Answer;
  readonly used: UsedTokens;
  /** Dollars for a million tokens, from the vendor's page. */
  readonly list: Rates;
  readonly path?: string;
  /** No upstream is believed to count far more tokens than the request has bytes. */
  readonly promptBytes?: number;
}

const gpt41 = { input: '2', output: '8', cache_read: '0.5' };
const gpt5 = { input: '1.25', output: '10', cache_read: '0.125' };
const gpt55 = { input: '5', output: '30', cache_read: '0.5' };
const sonnet45 = { input: '3', output: '15', cache_read: '0.3', cache_write: '3.75', cache_write_1h: '6' };
const opus55 = { input: '4', output: '20', cache_read: '0.2', cache_write: '5', cache_write_1h: '8' };
const flash25 = { input: '0.3', output: '2.5', cache_read: '0.03', audio_prompt: '1' };
const pro25 = { input: '1.25', output: '10', cache_read: '0.125' };
const pro25Long = { input: '2.5', output: '15', cache_read: '0.25' };
/** Through an inference profile of the United States, a tenth more. */
const bedrockSonnet45 = {
  input: '3.3',
  output: '16.5',
  cache_read: '0.33',
  cache_write: '4.125',
  cache_write_1h: '6.6',
};
const bedrockOpus55 = { input: '4.4', output: '22', cache_read: '0.22', cache_write: '5.5', cache_write_1h: '8.8' };

const chat = { upstream: 'chat', answer: chatAnswer(cachedChat), used: cachedChatUse } as const;
const claude = { upstream: 'anthropic', answer: claudeAnswer(writtenClaude), used: writtenClaudeUse } as const;
const bedrock = { upstream: 'bedrock', answer: bedrockAnswer(writtenClaude), used: writtenClaudeUse } as const;
const gemini = { upstream: 'gemini', answer: geminiAnswer(heardGemini), used: heardGeminiUse } as const;
const pro = (prompt: number) => ({ answer: geminiAnswer(geminiOf(prompt)), used: geminiUseOf(prompt) });
const long = { answer: chatAnswer(longChat), used: { prompt: 272_001, completion: 10 }, promptBytes: 150_000 } as const;

const cases: readonly Case[] = [
  { ...chat, type: 1, vendor: 'openai', model: 'gpt-4.1', list: gpt41 },
  { ...chat, type: 1, vendor: 'openai', model: 'gpt-5', list: gpt5 },
  { ...chat, type: 1, vendor: 'openai', model: 'gpt-5.5', list: gpt55 },
  { ...chat, ...long, type: 1, vendor: 'openai', model: 'gpt-5.5', list: { input: '10', output: '45' } },
  { ...chat, type: 3, upstream: 'azure', vendor: 'azure', model: 'gpt-4.1', list: gpt41 },
  { ...chat, type: 3, upstream: 'azure', vendor: 'azure', model: 'gpt-5', list: gpt5 },
  { ...chat, type: 20, vendor: 'openai', model: 'openai/gpt-5.5', list: gpt55 },
  { ...claude, type: 14, vendor: 'anthropic', model: 'claude-sonnet-4-5', list: sonnet45 },
  { ...claude, type: 14, vendor: 'anthropic', model: 'claude-sonnet-4-5', list: sonnet45, path: '/v1/messages' },
  { ...claude, type: 14, vendor: 'anthropic', model: 'claude-opus-5-5', list: opus55, path: '/v1/messages' },
  { ...bedrock, type: 33, vendor: 'bedrock', model: 'claude-sonnet-4-5-20250929', list: bedrockSonnet45 },
  { ...bedrock, type: 33, vendor: 'bedrock', model: 'us.anthropic.claude-opus-5-5', list: bedrockOpus55 },
  { ...claude, type: 42, upstream: 'vertex', vendor: 'vertex', model: 'claude-opus-5-5', list: opus55 },
  { ...chat, type: 20, vendor: 'anthropic', model: 'anthropic/claude-opus-5.5', list: opus55 },
  { ...gemini, type: 24, vendor: 'gemini', model: 'gemini-2.5-flash', list: flash25 },
  { ...gemini, type: 42, upstream: 'vertex', vendor: 'gemini', model: 'gemini-2.5-flash', list: flash25 },
  { ...gemini, ...pro(200_000), type: 24, vendor: 'gemini', model: 'gemini-2.5-pro', list: pro25, promptBytes: 80_000 },
  {
    ...gemini,
    ...pro(200_001),
    type: 24,
    vendor: 'gemini',
    model: 'gemini-2.5-pro',
    list: pro25Long,
    promptBytes: 80_000,
  },
  {
    ...chat,
    type: 36,
    vendor: 'deepseek',
    model: 'deepseek-v4-pro',
    list: { input: '1.32', output: '3.96', cache_read: '0.044' },
  },
  { ...chat, type: 45, vendor: 'xai', model: 'grok-4.7', list: { input: '2', output: '6', cache_read: '0.5' } },
  {
    ...chat,
    type: 28,
    vendor: 'mistral',
    model: 'mistral-large-2512',
    list: { input: '0.5', output: '1.5', cache_read: '0.05' },
  },
  {
    ...chat,
    type: 49,
    vendor: 'alibaba',
    model: 'qwen3.7-max',
    list: { input: '2.5', output: '7.5', cache_read: '0.5' },
  },
];

const expected = (list: Rates, used: UsedTokens): number =>
  cardQuota({ rates: list }, { unitsPerDollar: '500000', group: '1', atMs: 0 }, used);

const titleOf = ({ type, vendor, model, used, path = '' }: Case) =>
  `type ${type}, ${vendor}’s ${model}, prompt of ${used.prompt}${path && `, ${path}`}`;

const chargeOf = async (requestId: string) => {
  const row = await relay.logOf(requestId);
  return v.parse(chargeSchema, await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`));
};

describe('R5 after the first start, with no settings, calls cost the vendor’s list price to the unit', () => {
  test.each(cases.map((each) => [titleOf(each), each] as const))('%s', async (_, each) => {
    const { type, upstream: name, model, vendor, answer, used, list, path = '/v1/chat/completions' } = each;
    const upstream = upstreams[name];
    const id = await relay.addChannel({ type, base_url: upstream.url, key: upstream.key, models: model });
    upstream.behave(({ stream }) => (stream ? { events: answer.events } : { body: answer.body }));
    for (const stream of [false, true]) {
      const content = `Say hi. ${'x'.repeat(each.promptBytes ?? 0)}`;
      const body = { model, stream, max_tokens: 4096, messages: [{ role: 'user', content }] };
      const { requestId, status, text } = await relay.ask({ key: user.key, path, body: JSON.stringify(body) });
      expect(status, text).toBe(200);
      expect(await relay.chargeOf(requestId), `stream: ${stream}`).toEqual({
        amount: expected(list, used),
        estimated: 0,
      });
      const charge = await chargeOf(requestId);
      expect(charge).toMatchObject({ explained: true, model_priced: true, price: { vendor, from: '2026-11-01' } });
    }
    await relay.root.data('DELETE', `/api/channel/${id}`);
  });

  test('gpt-image: text, pictures of the request and pictures drawn, each at its price', async () => {
    const images = await relay.addUpstream(
      endpointUpstream({
        path: '/v1/images/generations',
        members: ['model', 'prompt', 'n', 'size', 'quality'],
        prompt: ({ prompt }) => (typeof prompt === 'string' ? prompt : null),
        answer: () => ({}),
      }),
    );
    await relay.addChannel({ type: 1, base_url: images.url, key: images.key, models: 'gpt-image-1.5' });
    const usage = {
      input_tokens: 53,
      output_tokens: 1057,
      total_tokens: 1110,
      input_tokens_details: { text_tokens: 12, image_tokens: 41 },
    };
    images.behave(() => ({ body: JSON.stringify({ created: 1, data: [{ b64_json: 'AA==' }], usage }) }));
    const body = JSON.stringify({ model: 'gpt-image-1.5', prompt: 'a weir', quality: 'medium' });
    const { requestId, status, text } = await relay.ask({ key: user.key, path: '/v1/images/generations', body });
    expect(status, text).toBe(200);
    const list = { input: '5', output: '10', image_prompt: '8', image_completion: '32' };
    const used = { prompt: 53, completion: 1057, parts: { image_prompt: 41, image_completion: 1057 } };
    expect((await relay.chargeOf(requestId))?.amount).toBe(expected(list, used));
  });

  test('speech costs by the character where the list has a price for each, not by the byte', async () => {
    const speech = await relay.addUpstream(
      endpointUpstream({
        path: '/v1/audio/speech',
        members: ['model', 'input', 'voice'],
        prompt: ({ input }) => (typeof input === 'string' ? input : null),
        answer: () => ({}),
      }),
    );
    const models = 'tts-1,tts-1-hd,gpt-4o-mini-tts';
    await relay.addChannel({ type: 1, base_url: speech.url, key: speech.key, models });
    speech.behave(() => ({ body: Buffer.from([0xff, 0xf3]), headers: { 'content-type': 'audio/mpeg' } }));
    // 1,000 characters of 4 bytes each in UTF-8, and of two units in UTF-16.
    const input = '🌊'.repeat(1000);
    const listed = [
      ['tts-1', '15'],
      ['tts-1-hd', '30'],
      // Priced by tokens that no answer reports, $0.00025 a second: 15 characters.
      ['gpt-4o-mini-tts', '16.666666667'],
    ] as const;
    for (const [model, dollarsPerMillion] of listed) {
      const body = JSON.stringify({ model, input, voice: 'alloy' });
      const { requestId, status, text } = await relay.ask({ key: user.key, path: '/v1/audio/speech', body });
      expect(status, text).toBe(200);
      const list = { input: dollarsPerMillion, output: '0' };
      expect((await relay.chargeOf(requestId))?.amount, model).toBe(expected(list, { prompt: 1000, completion: 0 }));
      expect(await chargeOf(requestId)).toMatchObject({ explained: true });
    }
  });
});
