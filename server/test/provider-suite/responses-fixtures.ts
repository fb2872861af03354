import { expect } from 'vitest';
import type { FailureFixture } from './provider-suite.ts';
import { pixel } from '../clients/dialect-client.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from './vendor-fixtures.ts';

/** The encrypted reasoning. */
export const encrypted = 'gAAAAABweir';

const reasoningItem = ({ reasoning }: Scene, complete: boolean) => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: complete ? [{ type: 'summary_text', text: reasoning }] : [],
  ...(complete && { encrypted_content: encrypted }),
});
const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const messageItem = ({ text }: Scene, complete: boolean) => ({
  id: 'msg_1',
  type: 'message',
  status: complete ? 'completed' : 'in_progress',
  role: 'assistant',
  content: complete ? [textPart(text)] : [],
});
const callItem = ({ id, name, arguments: given }: Scene['calls'][number], complete: boolean) => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: complete ? 'completed' : 'in_progress',
  call_id: id,
  name,
  arguments: complete ? given : '',
});

const response = (scene: Scene, complete: boolean) => {
  const { prompt, completion, cached, reasoning, calls } = scene;
  const output = [
    ...(reasoning === '' ? [] : [reasoningItem(scene, true)]),
    messageItem(scene, true),
    ...calls.map((call) => callItem(call, true)),
  ];
  const usage = {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning === '' ? 0 : 4 },
    total_tokens: prompt + completion,
  };
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status: complete ? 'completed' : 'in_progress',
    error: null,
    incomplete_details: null,
    model: 'm',
    output: complete ? output : [],
    usage: complete ? usage : null,
  };
};

type Tell = (type: string, members: object) => void;

const tellReasoning = (scene: Scene, tell: Tell): void => {
  const { reasoning } = scene;
  const at = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const cut = reasoning.indexOf(' ');
  tell('response.output_item.added', { output_index: 0, item: reasoningItem(scene, false) });
  tell('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } });
  for (const delta of [reasoning.slice(0, cut), reasoning.slice(cut)])
    tell('response.reasoning_summary_text.delta', { ...at, delta });
  tell('response.reasoning_summary_text.done', { ...at, text: reasoning });
  tell('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text: reasoning } });
  tell('response.output_item.done', { output_index: 0, item: reasoningItem(scene, true) });
};

const tellMessage = (scene: Scene, index: number, tell: Tell): void => {
  const at = { item_id: 'msg_1', output_index: index, content_index: 0 };
  tell('response.output_item.added', { output_index: index, item: messageItem(scene, false) });
  tell('response.content_part.added', { ...at, part: textPart('') });
  for (const delta of scene.pieces) tell('response.output_text.delta', { ...at, delta, logprobs: [] });
  tell('response.output_text.done', { ...at, text: scene.text, logprobs: [] });
  tell('response.content_part.done', { ...at, part: textPart(scene.text) });
  tell('response.output_item.done', { output_index: index, item: messageItem(scene, true) });
};

const tellCall = (call: Scene['calls'][number], index: number, tell: Tell): void => {
  const at = { item_id: `fc_${call.id}`, output_index: index };
  const cut = call.arguments.indexOf(':') + 1;
  tell('response.output_item.added', { output_index: index, item: callItem(call, false) });
  for (const delta of [call.arguments.slice(0, cut), call.arguments.slice(cut)])
    tell('response.function_call_arguments.delta', { ...at, delta });
  tell('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments });
  tell('response.output_item.done', { output_index: index, item: callItem(call, true) });
};

const eventOf = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const stream = (scene: Scene): readonly string[] => {
  const events: string[] = [];
  const tell: Tell = (type, members) => events.push(eventOf(type, { sequence_number: events.length, ...members }));
  const first = scene.reasoning === '' ? 0 : 1;
  tell('response.created', { response: response(scene, false) });
  tell('response.in_progress', { response: response(scene, false) });
  if (first > 0) tellReasoning(scene, tell);
  tellMessage(scene, first, tell);
  for (const [index, call] of scene.calls.entries()) tellCall(call, first + 1 + index, tell);
  tell('response.completed', { response: response(scene, true) });
  return events;
};

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(body).toMatchObject({ max_output_tokens: 4000 });
    expect(JSON.stringify(body['input'])).toContain('How is Paris?');
  },
  tools: (body) =>
    expect(body['tools']).toMatchObject([
      { type: 'function', name: 'get_weather', strict: false, parameters: { required: ['city'] } },
    ]),
  image: (body) =>
    expect(JSON.stringify(body['input'])).toContain(
      `{"type":"input_image","image_url":"data:image/png;base64,${pixel}"`,
    ),
  json: (body) =>
    expect(body['text']).toMatchObject({ format: { type: 'json_schema', schema: { required: ['answer'] } } }),
  results: (body) => {
    const called = { type: 'function_call', name: 'get_weather', arguments: '{"city":"Paris"}' };
    expect(body['input']).toMatchObject([{ role: 'user' }, called, { type: 'function_call_output', output: '18C' }]);
  },
};

/** What responses answer to each kind of question, whichever dialect it came in. */
export const responsesFixtures = vendorFixtures({
  source: 'platform.openai.com, Responses API reference (provider notes 19.3, 19.4 and 21.2)',
  whole: (scene) => JSON.stringify(response(scene, true)),
  stream,
  checkRequest,
});

const error = (status: number, type: string, code: string | null) => ({
  status,
  body: JSON.stringify({ error: { message: 'as reported', type, param: null, code } }),
});
const failed = (code: string) =>
  eventOf('response.failed', {
    sequence_number: 1,
    response: { id: 'resp_1', status: 'failed', error: { code, message: 'as reported' }, output: [] },
  });

export const responsesFailures: readonly FailureFixture[] = [
  vendorFailure(error(400, 'invalid_request_error', 'context_length_exceeded'), [400, 'context_length_exceeded']),
  vendorFailure(error(401, 'invalid_request_error', 'invalid_api_key'), [401, 'invalid_api_key']),
  vendorFailure(error(404, 'invalid_request_error', 'model_not_found'), [404, 'model_not_found']),
  vendorFailure(error(429, 'insufficient_quota', 'insufficient_quota'), [429, 'insufficient_quota']),
  vendorFailure(error(500, 'server_error', null), [502, 'upstream_error']),
  vendorFailure(error(503, 'server_error', null), [503, 'upstream_error']),
  // A whole response reports its failure in its status, a stream in its last event.
  vendorFailure(
    {
      status: 200,
      body: JSON.stringify({
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'as reported' },
        output: [],
      }),
      event: failed('rate_limit_exceeded'),
    },
    [429, 'rate_limit_exceeded'],
  ),
];

export const responsesFailureEvents = [
  eventOf('error', { sequence_number: 1, code: 'server_error', message: 'it fell over', param: null }),
  failed('server_error'),
];
