import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';
import type { FailureFixture } from '../../provider-suite/provider-suite.ts';
import { answerSchema, pixel } from '../../clients/dialect-client.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from '../../provider-suite/vendor-fixtures.ts';

const members = ['model', 'messages', 'tools', 'format', 'stream', 'think', 'keep_alive', 'options'];
const messageMembers = ['role', 'content', 'images', 'thinking', 'tool_calls', 'tool_name', 'tool_call_id'];

const unknownIn = (value: Json, known: readonly string[]): string | undefined =>
  Object.keys(value).find((name) => !known.includes(name));

const messageFault = (message: Json): string | undefined => {
  if (unknownIn(message, messageMembers) !== undefined) return 'unknown member of a message';
  if (!['system', 'user', 'assistant', 'tool'].includes(textOf(message['role']))) return 'invalid role';
  if (typeof message['content'] !== 'string') return 'cannot unmarshal content into a string';
  const { images = [] } = message;
  if (!Array.isArray(images) || !images.every((image) => /^[A-Za-z0-9+/]+=*$/.test(textOf(image))))
    return 'illegal base64 data at input byte 4';
  return listOf(message['tool_calls']).every((call) => isJson(objectOf(call['function'])['arguments']))
    ? undefined
    : 'cannot unmarshal string into arguments';
};

const bodyFault = (body: Json): string | undefined => {
  const unknown = unknownIn(body, members);
  if (unknown !== undefined) return `unknown member ${unknown}`;
  const { stream, format } = body;
  if (typeof stream !== 'boolean') return 'whether to stream must be said: the default is that it does';
  if (format !== undefined && format !== 'json' && !isJson(format)) return 'invalid format';
  return listOf(body['messages'])
    .map(messageFault)
    .find((text) => text !== undefined);
};

/** Ollama's own API (provider notes 9 and 21). */
export const ollamaForm: UpstreamForm = {
  streamType: 'application/x-ndjson',
  check: (input) => {
    const wrong = checkHeaders({ ...input, path: /^\/api\/chat$/ });
    if (wrong !== undefined) return wrong;
    const body = parse(input.body);
    if (!isJson(body)) return fault('invalid character');
    const message = bodyFault(body);
    if (message !== undefined) return fault(message);
    const model = textOf(body['model']);
    return { model, stream: body['stream'] === true, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message }) => JSON.stringify({ error: message }),
};

const line = (value: object): string => `${JSON.stringify(value)}\n`;

const answer = (message: object, more: object) => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00.000Z',
  message: { role: 'assistant', content: '', ...message },
  ...more,
});

const end = ({ prompt, completion }: Scene) => ({
  done: true,
  done_reason: 'stop',
  total_duration: 1,
  load_duration: 1,
  prompt_eval_count: prompt,
  prompt_eval_duration: 1,
  eval_count: completion,
  eval_duration: 1,
});

const callsOf = ({ calls }: Scene) =>
  calls.map(({ name, arguments: given }, index) => ({
    function: { index, name, arguments: parse(Buffer.from(given)) },
  }));

const events = (scene: Scene) => ({
  content: scene.text,
  ...(scene.reasoning !== '' && { thinking: scene.reasoning }),
  ...(scene.calls.length > 0 && { tool_calls: callsOf(scene) }),
});

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is Paris?' },
    ]);
    expect(body['options']).toMatchObject({ num_predict: 4000 });
  },
  tools: (body) => expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'get_weather' } }]),
  image: (body) =>
    expect(listOf(body['messages']).at(-1)).toEqual({ role: 'user', content: 'What is this?', images: [pixel] }),
  json: (body) => expect(body['format']).toEqual(answerSchema),
  results: (body) =>
    expect(listOf(body['messages']).slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'get_weather', arguments: { city: 'Paris' } } }] },
      { role: 'tool', tool_name: 'get_weather', content: '18C' },
    ]),
};

/** What Ollama answers: one JSON value on each line, calls without ids. */
export const ollamaFixtures = vendorFixtures({
  source: 'github.com/ollama/ollama, docs/api.md (provider notes 9 and 21.2)',
  whole: (scene) => JSON.stringify(answer(events(scene), end(scene))),
  stream: (scene) => [
    ...(scene.reasoning === '' ? [] : [line(answer({ thinking: scene.reasoning }, { done: false }))]),
    ...scene.pieces.map((content) => line(answer({ content }, { done: false }))),
    ...(scene.calls.length === 0 ? [] : [line(answer({ tool_calls: callsOf(scene) }, { done: false }))]),
    line(answer({}, end(scene))),
  ],
  checkRequest,
});

const failure = (status: number, error: string, expected: readonly [number, string]): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ error }) }, expected);

export const ollamaFailures: readonly FailureFixture[] = [
  failure(401, 'unauthorized', [401, 'invalid_api_key']),
  failure(404, 'model "m" not found, try pulling it first', [404, 'model_not_found']),
  failure(429, 'too many requests', [429, 'rate_limit_exceeded']),
  failure(500, 'llama runner process has terminated', [502, 'upstream_error']),
  failure(502, 'upstream', [502, 'upstream_error']),
];

/** A line that ends a stream with a failure. */
export const ollamaFailureEvent = line({ error: 'an error was encountered while running the model' });
