import { expect } from 'vitest';
import type { FailureFixture } from './provider-suite.ts';
import { answerSchema, pixel } from '../clients/dialect-client.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from './vendor-fixtures.ts';

/** The model gets more tokens than the vendor bills: the prompt has a template. */
const usageOf = ({ prompt, completion, cached }: Scene) => ({
  billed_units: { input_tokens: prompt, output_tokens: completion },
  tokens: { input_tokens: prompt + 500, output_tokens: completion },
  cached_tokens: cached,
});

/** One event of a stream. */
export const cohereEvent = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const callOf = ({ id, name, arguments: given }: Scene['calls'][number]) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

const wholeOf = (scene: Scene): string =>
  JSON.stringify({
    id: 'c14c80c3',
    finish_reason: scene.calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: scene.text }],
      ...(scene.calls.length > 0 && { tool_plan: scene.reasoning, tool_calls: scene.calls.map(callOf) }),
    },
    usage: usageOf(scene),
  });

const streamOf = (scene: Scene): readonly string[] => {
  const message = (type: string, index: number, members: object) =>
    cohereEvent(type, { index, delta: { message: members } });
  return [
    cohereEvent('message-start', {
      id: 'c14c80c3',
      delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
    }),
    ...(scene.reasoning === ''
      ? []
      : [cohereEvent('tool-plan-delta', { delta: { message: { tool_plan: scene.reasoning } } })]),
    message('content-start', 0, { content: { type: 'text', text: '' } }),
    ...scene.pieces.map((text) => message('content-delta', 0, { content: { text } })),
    cohereEvent('content-end', { index: 0 }),
    ...scene.calls.flatMap((call, index) => [
      message('tool-call-start', index, {
        tool_calls: { ...callOf(call), function: { name: call.name, arguments: '' } },
      }),
      ...[call.arguments.slice(0, 6), call.arguments.slice(6)].map((text) =>
        message('tool-call-delta', index, { tool_calls: { function: { arguments: text } } }),
      ),
      cohereEvent('tool-call-end', { index }),
    ]),
    cohereEvent('message-end', {
      id: 'c14c80c3',
      delta: { finish_reason: scene.calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE', usage: usageOf(scene) },
    }),
  ];
};

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(body['max_tokens']).toBe(4000);
    expect(body['messages']).toContainEqual({ role: 'user', content: 'How is Paris?' });
  },
  tools: (body) =>
    expect(body['tools']).toMatchObject([
      { type: 'function', function: { name: 'get_weather', parameters: { required: ['city'] } } },
    ]),
  image: (body) => expect(JSON.stringify(body)).toContain(`"url":"data:image/png;base64,${pixel}"`),
  json: (body) => expect(body['response_format']).toEqual({ type: 'json_object', json_schema: answerSchema }),
  results: (body) => expect(body['messages']).toContainEqual({ role: 'tool', tool_call_id: 'call_1', content: '18C' }),
};

/** What Cohere's Chat API (v2) answers. */
export const cohereFixtures = vendorFixtures({
  source: 'docs.cohere.com: Chat API v2, streaming and tool use guides',
  whole: wholeOf,
  stream: streamOf,
  checkRequest,
});

const v1Event = (event_type: string, members: object = {}): string =>
  `data: ${JSON.stringify({ is_finished: event_type === 'stream-end', event_type, ...members })}\n\n`;

const v1Whole = (scene: Scene) => ({
  response_id: 'r1',
  generation_id: 'g1',
  text: scene.text,
  finish_reason: 'COMPLETE',
  meta: { api_version: { version: '1' }, ...usageOf(scene) },
});

const checkWebRequest: VendorFormat['checkRequest'] = {
  text: (body) =>
    expect(body).toMatchObject({
      model: 'aya-expanse',
      message: 'How is Paris?',
      connectors: [{ id: 'web-search' }],
      max_tokens: 4000,
    }),
};

/** What the first version answers for models that search the web. */
export const connectorsFixtures = vendorFixtures({
  source: 'docs.cohere.com: Chat API v1, connectors',
  whole: (scene) => JSON.stringify(v1Whole(scene)),
  stream: (scene) => [
    v1Event('stream-start', { generation_id: 'g1' }),
    v1Event('search-queries-generation', { search_queries: [{ text: 'Paris', generation_id: 'g1' }] }),
    ...scene.pieces.map((text) => v1Event('text-generation', { text })),
    v1Event('stream-end', { finish_reason: 'COMPLETE', response: v1Whole(scene) }),
  ],
  checkRequest: checkWebRequest,
});

const failure = (status: number, expected: readonly [number, string]): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ id: 'f1', message: `as reported by ${status}` }) }, expected);

/** Every status of the vendor's list. */
export const cohereFailures: readonly FailureFixture[] = [
  failure(401, [401, 'invalid_api_key']),
  failure(402, [429, 'insufficient_quota']),
  failure(403, [403, 'permission_denied']),
  failure(429, [429, 'rate_limit_exceeded']),
  failure(500, [502, 'upstream_error']),
  failure(503, [503, 'upstream_error']),
  failure(504, [504, 'upstream_error']),
];
