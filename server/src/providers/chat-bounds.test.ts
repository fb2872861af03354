import { expect, test } from 'vitest';
import {
  channel,
  readEvents,
  parameters,
  contentEvent,
  sentRequest,
  tools,
  turns,
} from '../../test/provider-suite/codec-probe.ts';
import { plainConversation } from '../../test/provider-suite/conversation.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { bounded, type ChatBounds } from './chat-bounds.ts';
import { providerOf } from './providers.ts';

const within = (conversation: Partial<Conversation>, bounds: ChatBounds) =>
  bounded({ ...plainConversation, ...conversation }, bounds);

test('RELAY-03 what only steers an answer is moved to the nearest that a vendor takes, or left out', () => {
  const settings = { temperature: 2, topP: 0, seed: 7, user: 'user-1', stop: ['a', 'b'], presencePenalty: 1 };
  expect(
    within(settings, { temperature: [0.01, 1], topP: [0.01, 1], seed: null, user: null, stopMax: 1, penalties: null }),
  ).toEqual({ ...plainConversation, temperature: 1, topP: 0.01, stop: ['a'] });
  expect(within(settings, {})).toEqual({ ...plainConversation, ...settings });
  expect(within(settings, { temperature: null }).temperature).toBeNull();
});

test('RELAY-03 what an answer depends on becomes an instruction where a vendor has no member for it', () => {
  const words = (conversation: Partial<Conversation>, bounds: ChatBounds) => {
    const { system, toolChoice, tools: offered, answerFormat } = within({ tools, ...conversation }, bounds);
    return { words: system.map(({ text }) => text), toolChoice, tools: offered.length, format: answerFormat.kind };
  };
  const none = { toolChoices: [] };
  const kept = { toolChoice: null, tools: 1, format: 'text' };
  expect(words({ toolChoice: { kind: 'required' } }, none)).toEqual({
    ...kept,
    words: ['Call at least one of the tools before you answer.'],
  });
  expect(words({ toolChoice: { kind: 'tool', name: 'get_weather' } }, none)).toEqual({
    ...kept,
    words: ['Call the tool get_weather before you answer.'],
  });
  expect(words({ toolChoice: { kind: 'none' } }, none)).toEqual({ ...kept, tools: 0, words: [] });
  const auto = { kind: 'auto' } as const;
  expect(words({ toolChoice: auto }, none)).toEqual({ ...kept, toolChoice: auto, words: [] });

  const schema = { kind: 'schema', name: 'reply', description: '', schema: { type: 'object' }, strict: true } as const;
  const boundTo = (format: ChatBounds['format']) =>
    words({ answerFormat: schema }, format === undefined ? {} : { format });
  expect(boundTo('json')).toMatchObject({ format: 'json', words: [expect.stringContaining('{"type":"object"}')] });
  expect(boundTo('text')).toMatchObject({ format: 'text', words: [expect.stringContaining('{"type":"object"}')] });
  expect(boundTo(undefined)).toMatchObject({ format: 'schema', words: [] });
});

test('RELAY-03 system messages move to the front where the vendor allows them nowhere else', () => {
  const system = [{ kind: 'text', text: 'One' }] as const;
  const later = { role: 'system', parts: [{ kind: 'text', text: 'Two' }] } as const;
  const moved = within({ system, turns: [...turns, later] }, { systemFirst: true });
  expect(moved.system.map(({ text }) => text)).toEqual(['One', 'Two']);
  expect(moved.turns).toEqual(turns);
});

const request = (type: number, model: string, conversation: Partial<Conversation>) => {
  const provider = providerOf(type, channel('key'));
  if (provider === null) throw new Error(`no provider of type ${type}`);
  return sentRequest(provider, { model, conversation, channel: channel('key') }).body;
};

test('PROVIDER-25 PROVIDER-16 PROVIDER-28 PROVIDER-29 PROVIDER-20 request reasoning with the vendor’s own members', () => {
  const reasoning = (type: number, model: string, effort: 'none' | 'high') => {
    const { messages: _, ...body } = request(type, model, {
      temperature: 0.5,
      reasoning: { effort, budget: null, visible: true },
    });
    return body;
  };
  expect(reasoning(25, 'kimi-k2.5', 'none')).toEqual({ model: 'kimi-k2.5', thinking: { type: 'disabled' } });
  expect(reasoning(25, 'kimi-k3', 'high')).toEqual({ model: 'kimi-k3', reasoning_effort: 'high' });
  expect(reasoning(25, 'moonshot-v1-8k', 'high')).toEqual({ model: 'moonshot-v1-8k', temperature: 0.5 });
  expect(reasoning(16, 'glm-4.6', 'high')).toMatchObject({ thinking: { type: 'enabled' } });
  expect(reasoning(28, 'mistral-medium-2604', 'none')).toMatchObject({ reasoning_effort: 'none' });
  expect(reasoning(29, 'openai/gpt-oss-20b', 'none')).toMatchObject({ reasoning_effort: 'low' });
  expect(reasoning(29, 'qwen/qwen3-32b', 'high')).toMatchObject({ reasoning_effort: 'default' });
  expect(reasoning(20, 'v/m', 'high')).toMatchObject({ reasoning: { effort: 'high' } });
});

test('PROVIDER-25 gets its thinking back with the calls that it made', () => {
  const thought = { kind: 'reasoning', text: 'need weather', signature: '' } as const;
  const call = { kind: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{}' } as const;
  const { messages } = request(25, 'kimi-k2.5', { turns: [{ role: 'assistant', parts: [thought, call] }] });
  expect(messages).toMatchObject([{ role: 'assistant', reasoning_content: 'need weather', tool_calls: [{}] }]);
});

test('PROVIDER-28 names seeds and prefilled answers in its own way, and reads content in parts', () => {
  const begun = { role: 'assistant', parts: [{ kind: 'text', text: 'A weir' }] } as const;
  expect(request(28, 'm', { seed: 7, user: 'user-1', turns: [begun] })).toEqual({
    model: 'm',
    random_seed: 7,
    messages: [{ role: 'assistant', content: 'A weir', prefix: true }],
  });
  const provider = providerOf(28);
  if (provider === null) throw new Error('no provider');
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Yes.' },
  ];
  const { events } = readEvents(provider, [JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })]);
  expect(events).toEqual([{ kind: 'start', id: 'c' }, contentEvent('reasoning', 'Hm.'), contentEvent('text', 'Yes.')]);
});

test('PROVIDER-18 reads the only call of an answer, which is not in an array', () => {
  const provider = providerOf(18, channel('password'));
  if (provider === null) throw new Error('no provider');
  const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const { events } = readEvents(provider, [
    JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls: call } }] }),
  ]);
  expect(events).toContainEqual({ kind: 'tool_start', index: 0, id: 'call_1', name: 'get_weather' });
});

test('PROVIDER-27 writes the schemas of tools as texts for its oldest models', () => {
  const { tools: offered } = request(27, 'abab6.5s-chat', { tools });
  expect(offered).toMatchObject([{ function: { parameters: JSON.stringify(parameters) } }]);
  expect(request(27, 'MiniMax-M2', {})).toMatchObject({ reasoning_split: true });
});
