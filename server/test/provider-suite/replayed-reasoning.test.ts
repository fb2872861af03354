import { describe, expect, test } from 'vitest';
import { channel, sentRequest } from './codec-probe.ts';
import { dialectOf } from '../../src/dialects/dialects.ts';
import { providerOf } from '../../src/providers/providers.ts';

const messages = (signature: string) => ({
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'How is Paris?' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I need the weather.', signature },
        { type: 'tool_use', id: 'c', name: 'get_weather', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '18C' }] },
  ],
});

const responses = {
  input: [
    { role: 'user', content: 'How is Paris?' },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I need the weather.' }] },
    { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: '18C' },
  ],
};

const conversationOf = (path: string, body: object) => {
  const head = { path, query: '', contentType: 'application/json' };
  const inbound = dialectOf(path, '')?.read(Buffer.from(JSON.stringify({ model: 'm', ...body })), head);
  const conversation = inbound?.kind === 'inbound' ? inbound.conversation?.() : undefined;
  if (conversation === undefined || 'kind' in conversation) throw new Error(JSON.stringify(conversation));
  return conversation;
};

const sentTo = (type: number, path: string, body: object) => {
  const provider = providerOf(type, channel('id.secret'));
  if (provider === null) throw new Error(`no provider of type ${type}`);
  return sentRequest(provider, { conversation: conversationOf(path, body), channel: channel('id.secret') }).body;
};

describe.each([8, 16, 20, 25, 36, 40, 44, 50])('R1 the reasoning before a tool call goes back to type %i', (type) => {
  const member = type === 20 ? 'reasoning' : 'reasoning_content';
  const called = { role: 'assistant', [member]: 'I need the weather.', tool_calls: [{ id: 'c' }] };

  test('from the Anthropic format', () => {
    expect(sentTo(type, '/v1/messages', messages(''))['messages']).toMatchObject([{}, called, {}]);
  });

  test('from the responses format', () => {
    expect(sentTo(type, '/v1/responses', responses)['messages']).toMatchObject([{}, called, {}]);
  });
});

test.each([8, 16, 36, 40, 44, 50])('R1 type %i gets no reasoning that another vendor signed', (type) => {
  expect(JSON.stringify(sentTo(type, '/v1/messages', messages('c2ln')))).not.toContain('I need the weather.');
});

test('R1 type 36 gets no reasoning of answers without tool calls, and is told whether to think', () => {
  const body = {
    max_tokens: 4096,
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: 'Go on' },
    ],
  };
  const sent = (thinking?: object) => sentTo(36, '/v1/messages', { ...body, ...(thinking && { thinking }) });
  expect(JSON.stringify(sent())).not.toContain('Hm.');
  expect(sent()).not.toHaveProperty('thinking');
  expect(sent({ type: 'enabled', budget_tokens: 2048 })).toMatchObject({ thinking: { type: 'enabled' } });
  expect(sent({ type: 'disabled' })).toMatchObject({ thinking: { type: 'disabled' } });
});
