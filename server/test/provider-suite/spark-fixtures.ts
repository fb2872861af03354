import { expect } from 'vitest';
import { sparkFailureFrame, sparkFrame } from '../fakes/vendors/fake-spark.ts';
import { type Json, listOf, objectOf } from '../parsing/json.ts';
import type { FailureFixture } from './provider-suite.ts';
import { answerSchema } from '../clients/dialect-client.ts';
import {
  type Scene,
  type ExpectedFailure,
  vendorFailure,
  vendorFixtures,
  type VendorFormat,
} from './vendor-fixtures.ts';

const usageOf = ({ prompt, completion }: Scene) => ({
  question_tokens: 5,
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const framesOf = (scene: Scene): readonly string[] => [
  ...scene.pieces.map((content, seq) => sparkFrame(seq === 0 ? 0 : 1, seq, { content })),
  ...scene.calls.map(({ name, arguments: given }, index) =>
    sparkFrame(1, scene.pieces.length + index, {
      content_type: 'text',
      function_call: { name, arguments: given },
    }),
  ),
  sparkFrame(2, scene.pieces.length + scene.calls.length, {}, usageOf(scene)),
];

const textsIn = (body: Json) => listOf(objectOf(objectOf(body['payload'])['message'])['text']);

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(textsIn(body)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is Paris?' },
    ]);
    expect(body['parameter']).toMatchObject({ chat: { max_tokens: 4000 } });
  },
  tools: (body) => expect(body['payload']).toMatchObject({ functions: { text: [{ name: 'get_weather' }] } }),
  json: (body) => expect(textsIn(body)[0]?.['content']).toContain(JSON.stringify(answerSchema)),
  results: (body) =>
    expect(textsIn(body).slice(-2)).toEqual([
      { role: 'assistant', content: '{"name":"get_weather","arguments":{"city":"Paris"}}' },
      { role: 'user', content: 'Result of the function call: 18C' },
    ]),
};

const words: VendorFormat = {
  source: 'xfyun.cn, Spark web API (provider notes 12.1 and 21.2)',
  hidesReasoning: true,
  whole: (scene) => framesOf(scene).join('\n'),
  stream: framesOf,
  checkRequest,
};

/** What the socket answers; functions are called whole. */
export const sparkFixtures = vendorFixtures(words);

const checkLiteRequest: VendorFormat['checkRequest'] = {
  text: (body) => expect(textsIn(body)).toEqual([{ role: 'user', content: 'Be brief.\n\nHow is Paris?' }]),
};

/** The answers of a version without system messages and functions. */
export const sparkLiteFixtures = vendorFixtures({
  ...words,
  checkRequest: checkLiteRequest,
});

const failure = (code: number, expected: ExpectedFailure): FailureFixture => {
  const frame = sparkFailureFrame(code, `as reported by ${code}`);
  return vendorFailure({ status: 200, body: frame, event: frame }, expected);
};
const allOf = (codes: readonly number[], expected: ExpectedFailure) => codes.map((code) => failure(code, expected));

const refused = (status: number, message: string, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ message }) }, expected);

/** Every code of the vendor's list, and upgrades that it refuses. */
export const sparkFailures: readonly FailureFixture[] = [
  ...[10_000, 10_001, 10_002].map((code) => failure(code, [502, String(code)])),
  ...[10_003, 10_004, 10_005, 10_163].map((code) => failure(code, [400, String(code)])),
  ...allOf([10_006, 10_007, 10_110, 11_202, 11_203], [429, 'rate_limit_exceeded']),
  ...[10_008, 10_009, 10_010, 10_011, 10_012, 10_017, 10_222, 10_223].map((code) => failure(code, [503, String(code)])),
  ...allOf([10_013, 10_014, 10_019], [400, 'content_filter']),
  failure(10_015, [403, 'permission_denied']),
  ...allOf([10_016, 11_200, 11_201], [429, 'insufficient_quota']),
  failure(10_907, [400, 'context_length_exceeded']),
  refused(401, 'HMAC signature cannot be verified', [401, 'invalid_api_key']),
  refused(403, 'HMAC signature does not match', [403, 'invalid_api_key']),
];
