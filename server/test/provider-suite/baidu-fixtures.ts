import { expect } from 'vitest';
import { answerSchema } from '../clients/dialect-client.ts';
import type { FailureFixture } from './provider-suite.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from './vendor-fixtures.ts';

const usageOf = ({ prompt, completion }: Scene) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const calledIn = ({ calls: [call], reasoning }: Scene) =>
  call === undefined ? {} : { function_call: { name: call.name, arguments: call.arguments, thoughts: reasoning } };

const sentence = (members: object) => ({
  id: 'as-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  is_truncated: false,
  need_clear_history: false,
  ...members,
});

/** One event of a stream. */
export const baiduEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) =>
    expect(body).toMatchObject({
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'How is Paris?' }],
      max_output_tokens: 4000,
    }),
  tools: (body) =>
    expect(body['functions']).toMatchObject([{ name: 'get_weather', parameters: { required: ['city'] } }]),
  json: ({ system, response_format: format }) => {
    expect(format).toBe('json_object');
    expect(system).toContain(JSON.stringify(answerSchema));
  },
  results: ({ messages }) =>
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', function_call: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      { role: 'function', name: 'get_weather', content: '18C' },
    ]),
};

/** What Baidu's older API answers. It calls one function at a time, with the last event. */
export const baiduFixtures = vendorFixtures({
  source: 'Wenxin workshop API reference (provider notes 10.1 and 21.2)',
  hidesReasoning: true,
  whole: (scene) =>
    JSON.stringify(
      sentence({ result: scene.text, finish_reason: 'normal', ...calledIn(scene), usage: usageOf(scene) }),
    ),
  stream: (scene) => [
    ...scene.pieces.map((result, index) =>
      baiduEvent(
        sentence({ sentence_id: index, is_end: false, result, usage: { ...usageOf(scene), completion_tokens: 1 } }),
      ),
    ),
    baiduEvent(
      sentence({
        sentence_id: scene.pieces.length,
        is_end: true,
        result: '',
        ...calledIn(scene),
        usage: usageOf(scene),
      }),
    ),
  ],
  checkRequest,
});

const failure = (code: number, expected: readonly [number, string]): FailureFixture => {
  const failed = { error_code: code, error_msg: `as reported by ${code}`, id: 'as-0' };
  return vendorFailure({ status: 200, body: JSON.stringify(failed), event: baiduEvent(failed) }, expected);
};

/** Every code of the vendor's list. */
export const baiduFailures: readonly FailureFixture[] = [
  failure(1, [502, '1']),
  failure(2, [503, '2']),
  failure(3, [404, 'model_not_found']),
  failure(4, [429, 'rate_limit_exceeded']),
  failure(6, [403, 'permission_denied']),
  ...[13, 14, 15, 100, 110, 111].map((code) => failure(code, [401, 'invalid_api_key'])),
  ...[17, 19].map((code) => failure(code, [429, 'insufficient_quota'])),
  ...[18, 336_100, 336_501, 336_502].map((code) => failure(code, [429, 'rate_limit_exceeded'])),
  failure(336_000, [502, '336000']),
  ...[336_001, 336_002, 336_003, 336_006, 336_105, 336_118].map((code) => failure(code, [400, String(code)])),
  failure(336_004, [403, 'permission_denied']),
  failure(336_005, [404, 'model_not_found']),
  ...[336_007, 336_103].map((code) => failure(code, [400, 'context_length_exceeded'])),
  vendorFailure({ status: 404, body: 'gone' }, [404, 'upstream_retired']),
];
