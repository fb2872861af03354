import { expect } from 'vitest';
import type { Fixture } from './provider-suite.ts';
import { pixel } from '../clients/dialect-client.ts';

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm' };
const data = (members: object): string => `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
const delta = (content: object, finish: string | null = null): string =>
  data({ choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }] });
const done = 'data: [DONE]\n\n';

const whole = (message: object, finish: string, usage: object): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: finish }],
    usage,
  });

const source = 'Chat Completions reference (provider notes 19.1 and 21.2)';

const textUsage = { prompt_tokens: 25, completion_tokens: 15, total_tokens: 40 };
const text: Fixture = {
  origin: 'documentation',
  source,
  whole: whole({ content: 'Hello, 世界!' }, 'stop', textUsage),
  stream: [
    delta({ role: 'assistant', content: '' }),
    ...['Hello, ', '世界', '!'].map((content) => delta({ content })),
    delta({}, 'stop'),
    data({ choices: [], usage: textUsage }),
    done,
  ],
  expected: { text: 'Hello, 世界!', reasoning: '', calls: [], finish: 'stop', usage: { prompt: 25, completion: 15 } },
  checkRequest: (body) => {
    expect(body['messages']).toContainEqual({ role: 'user', content: 'How is Paris?' });
    expect(body['max_tokens']).toBe(4000);
  },
};

const toolUsage = {
  prompt_tokens: 20,
  completion_tokens: 12,
  total_tokens: 32,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const call = (index: number, members: object, given: string) =>
  delta({
    tool_calls: [
      { index, ...members, function: { ...('id' in members && { name: 'get_weather' }), arguments: given } },
    ],
  });
const tools: Fixture = {
  origin: 'documentation',
  source,
  whole: whole(
    {
      content: 'Let me check.',
      reasoning_content: 'need weather',
      tool_calls: ['Paris', 'Rome'].map((city, index) => ({
        id: `call_${index + 1}`,
        type: 'function',
        function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
      })),
    },
    'tool_calls',
    toolUsage,
  ),
  stream: [
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'need weather' }),
    delta({ content: 'Let me check.' }),
    call(0, { id: 'call_1', type: 'function' }, ''),
    call(0, {}, '{"city":'),
    call(1, { id: 'call_2', type: 'function' }, ''),
    call(0, {}, '"Paris"}'),
    call(1, {}, '{"city":"Rome"}'),
    delta({}, 'tool_calls'),
    data({ choices: [], usage: toolUsage }),
    done,
  ],
  expected: {
    text: 'Let me check.',
    reasoning: 'need weather',
    calls: [
      { id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } },
      { id: 'call_2', name: 'get_weather', arguments: { city: 'Rome' } },
    ],
    finish: 'tool_calls',
    usage: { prompt: 20, completion: 12 },
  },
  checkRequest: (body) =>
    expect(body['tools']).toMatchObject([
      { type: 'function', function: { name: 'get_weather', parameters: { required: ['city'] } } },
    ]),
};

const image: Fixture = {
  ...text,
  checkRequest: ({ messages }) =>
    expect(JSON.stringify(messages)).toContain(`"image_url":{"url":"data:image/png;base64,${pixel}"`),
};

const answer = '{"answer":"fine"}';
const jsonUsage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
const json: Fixture = {
  origin: 'documentation',
  source,
  whole: whole({ content: answer }, 'stop', jsonUsage),
  stream: [
    delta({ role: 'assistant', content: '' }),
    delta({ content: '{"answer"' }),
    delta({ content: ':"fine"}' }),
    delta({}, 'stop'),
    data({ choices: [], usage: jsonUsage }),
    done,
  ],
  expected: { text: answer, reasoning: '', calls: [], finish: 'stop', usage: { prompt: 9, completion: 7 } },
  checkRequest: (body) =>
    expect(body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { required: ['answer'] }, strict: true },
    }),
};

const results: Fixture = {
  ...text,
  checkRequest: ({ messages }) => {
    expect(messages).toContainEqual({ role: 'tool', tool_call_id: 'call_1', content: '18C' });
    expect(JSON.stringify(messages)).toContain('"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"');
  },
};

/** What chat completions answer to each kind of question. */
export const chatFixtures = { text, tools, image, json, results };
