import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, textOf } from '../../parsing/json.ts';
import type { FailureFixture } from '../../provider-suite/provider-suite.ts';
import { answerSchema } from '../../clients/dialect-client.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from '../../provider-suite/vendor-fixtures.ts';

const messageFault = ({ role, type, content, content_type: kind }: Json): string | undefined => {
  if (role !== 'user' && role !== 'assistant') return 'role';
  if (type !== (role === 'user' ? 'question' : 'answer')) return 'type';
  if (typeof content !== 'string' || content === '') return 'content';
  return kind === 'text' ? undefined : 'content_type';
};

const known = ['bot_id', 'user_id', 'stream', 'auto_save_history', 'additional_messages'];

/** Coze's chat, always as a stream. Source: coze.com, API reference, "Chat" (v3). */
export const cozeForm: UpstreamForm = {
  check: (input) => {
    const wrong = checkHeaders(input);
    if (wrong !== undefined) return { ...wrong, code: wrong.status === 401 ? '4100' : '4000' };
    const body = parse(input.body);
    if (!isJson(body)) return fault('Request parameter error', 400, '4000');
    const { bot_id: bot, user_id: user, stream, auto_save_history: keeps } = body;
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined || !/^\d+$/.test(textOf(bot)) || textOf(user) === '')
      return fault(`Request parameter error: ${unknown ?? 'bot_id, user_id'}`, 400, '4000');
    if (stream !== true && keeps === false) return fault('auto_save_history must be true', 400, '4000');
    const messages = listOf(body['additional_messages']);
    const malformed = messages.map(messageFault).find((text) => text !== undefined);
    if (malformed !== undefined || messages.length === 0)
      return fault(`additional_messages: ${malformed}`, 400, '4000');
    return { model: textOf(bot), stream: true, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message, code }) => JSON.stringify({ code: Number(code), msg: message }),
};

/** One event. */
export const cozeEvent = (name: string, data: unknown): string => `event:${name}\ndata:${JSON.stringify(data)}\n\n`;

const message = (type: string, content: string, more: object = {}) => ({
  id: '7',
  conversation_id: '5',
  bot_id: '73428668',
  role: 'assistant',
  type,
  content,
  content_type: 'text',
  chat_id: '6',
  ...more,
});

const streamOf = (scene: Scene): readonly string[] => [
  cozeEvent('conversation.chat.created', { id: '6', conversation_id: '5', status: 'created' }),
  cozeEvent('conversation.chat.in_progress', { id: '6', conversation_id: '5', status: 'in_progress' }),
  ...scene.pieces.map((piece) => cozeEvent('conversation.message.delta', message('answer', piece))),
  cozeEvent('conversation.message.completed', message('answer', scene.text)),
  cozeEvent('conversation.message.completed', message('verbose', '{"msg_type":"generate_answer_finish"}')),
  cozeEvent('conversation.message.completed', message('follow_up', 'And Rome?')),
  cozeEvent('conversation.chat.completed', {
    id: '6',
    status: 'completed',
    usage: { token_count: scene.prompt + scene.completion, input_count: scene.prompt, output_count: scene.completion },
  }),
  cozeEvent('done', '[DONE]'),
];

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) =>
    expect(body).toMatchObject({
      bot_id: '73428668',
      user_id: 'weir-1',
      additional_messages: [{ role: 'user', content: 'Be brief.\nHow is Paris?', content_type: 'text' }],
    }),
  json: (body) => expect(JSON.stringify(body)).toContain(JSON.stringify(JSON.stringify(answerSchema)).slice(3, -3)),
};

/** What a bot answers: a whole answer is a stream too. */
const words = vendorFixtures({
  source: 'coze.com, API reference, "Chat" (v3) and its events',
  whole: (scene) => streamOf(scene).join(''),
  stream: streamOf,
  checkRequest,
});
export const cozeFixtures = { text: words.text, ...(words.json && { json: words.json }) };

const failure = (code: number, status: number, expected: readonly [number, string]): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ code, msg: `as reported by ${code}` }) }, expected);

/** The codes of the vendor's list, as they come with either kind of status. */
export const cozeFailures: readonly FailureFixture[] = [
  failure(4000, 200, [400, '4000']),
  failure(4013, 200, [429, 'rate_limit_exceeded']),
  failure(4015, 200, [404, 'model_not_found']),
  failure(4028, 200, [429, 'insufficient_quota']),
  failure(4100, 401, [401, 'invalid_api_key']),
  failure(4101, 200, [403, 'permission_denied']),
  failure(4200, 404, [404, 'model_not_found']),
  failure(5000, 500, [502, '5000']),
];
