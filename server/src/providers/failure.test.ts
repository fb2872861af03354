import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, parseJson } from '../conversation/json.ts';
import { readFailure, reportedFailure } from './failure.ts';
import { fastGptFailure } from './openai-compatible/fastgpt.ts';
import { miniMaxFailure } from './minimax/minimax.ts';

const openAi = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } });

describe('readFailure', () => {
  test.each([
    [
      'OpenAI',
      openAi('reported', { type: 't', param: 'p', code: 'c' }),
      { message: 'reported', type: 't', param: 'p', code: 'c' },
    ],
    ['a text as error', '{"error":"reported"}', { message: 'reported' }],
    ['message', '{"message":"reported"}', { message: 'reported' }],
    ['msg', '{"msg":"reported"}', { message: 'reported' }],
    ['err', '{"err":"reported"}', { message: 'reported' }],
    ['error_msg', '{"error_msg":"reported"}', { message: 'reported' }],
    ['detail', '{"detail":"Unauthorized"}', { message: 'Unauthorized' }],
    ['a list of details', '{"detail":[{"msg":"first","loc":["x"]},{"msg":"second"}]}', { message: 'first; second' }],
    [
      'details in the message',
      '{"object":"error","message":{"detail":[{"msg":"extra_forbidden"}]},"type":"invalid_request_error"}',
      { message: 'extra_forbidden' },
    ],
    ['header', '{"header":{"code":10013,"message":"reported"}}', { message: 'reported' }],
    ['base_resp', '{"base_resp":{"status_code":1004,"status_msg":"reported"}}', { message: 'reported' }],
    ['Response', '{"Response":{"Error":{"Code":"X","Message":"reported"}}}', { message: 'reported' }],
    ['a list (Google)', '[{"error":{"message":"reported","code":404}}]', { message: 'reported', code: 404 }],
    [
      'a list in the body',
      '{"success":false,"errors":[{"code":7,"message":"reported"}]}',
      { message: 'reported', code: 7 },
    ],
    ['a JSON string', '"reported"', { message: 'reported' }],
    ['an empty list', '[]', { message: 'bad response status code 418' }],
    ['the inner message first', '{"message":"outer","error":{"message":"inner"}}', { message: 'inner' }],
    ['plain text', 'upstream connect error', { message: 'upstream connect error' }],
    ['a page', '<html><title>502</title></html>', { message: 'bad response status code 418' }],
    ['nothing', '', { message: 'bad response status code 418' }],
    ['an empty message', '{"error":{"message":""}}', { message: 'bad response status code 418' }],
    [
      'no texts',
      '{"error":{"message":5,"code":[1],"type":{}}}',
      { message: 'bad response status code 418', code: null },
    ],
    ['a code that is a number', openAi('reported', { code: 1210 }), { message: 'reported', code: 1210 }],
  ])('RELAY-01 R35 finds the message of %s', (_, body, error) => {
    expect(readFailure(418, body)).toMatchObject({ status: 418, error });
  });

  const kinds: readonly (readonly [number, string, object])[] = [
    [
      400,
      openAi('x', { type: 'invalid_request_error', code: 'context_length_exceeded' }),
      { status: 400, retryable: false, error: { type: 'invalid_request_error', code: 'context_length_exceeded' } },
    ],
    [400, '{}', { status: 400, retryable: false, error: { type: 'invalid_request_error' } }],
    [
      401,
      openAi('x', { type: 'invalid_request_error' }),
      { status: 401, retryable: true, error: { type: 'upstream_authentication_error', code: 'invalid_api_key' } },
    ],
    [
      403,
      openAi('x', { code: 'unsupported_country' }),
      { status: 403, retryable: true, error: { type: 'upstream_authentication_error', code: 'unsupported_country' } },
    ],
    [402, '{}', { status: 429, retryable: true, error: { type: 'insufficient_quota', code: 'insufficient_quota' } }],
    [
      429,
      openAi('x', { code: 'insufficient_quota' }),
      { status: 429, retryable: true, error: { type: 'insufficient_quota' } },
    ],
    [
      403,
      openAi('x', { type: 'insufficient_quota' }),
      { status: 429, retryable: true, error: { type: 'insufficient_quota' } },
    ],
    [429, '{}', { status: 429, retryable: true, error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }],
    [
      404,
      openAi('x', { code: 'model_not_found' }),
      { status: 404, retryable: true, error: { type: 'invalid_request_error', code: 'model_not_found' } },
    ],
    [408, '', { status: 408, retryable: true }],
    [409, '', { status: 409, retryable: true }],
    [413, '', { status: 413, retryable: false }],
    [422, '', { status: 422, retryable: false }],
    [500, '', { status: 502, retryable: true, error: { type: 'server_error', code: 'upstream_error' } }],
    [501, '', { status: 502, retryable: true }],
    [502, '', { status: 502, retryable: true }],
    [503, '', { status: 503, retryable: true }],
    [504, '', { status: 504, retryable: true }],
    [
      529,
      openAi('x', { type: 'overloaded_error' }),
      { status: 503, retryable: true, error: { type: 'overloaded_error' } },
    ],
    [302, '', { status: 502, retryable: true }],
    [204, '', { status: 502, retryable: true }],
  ];
  test.each(kinds)('RELAY-05 judges status %i with the body %s', (status, body, failure) => {
    expect(readFailure(status, body)).toMatchObject(failure);
  });

  test.each([
    ['xAI', '{"code":"invalid argument","error":"Incorrect API key provided: xa***. You can obtain one."}'],
    ['Google', '[{"error":{"code":400,"message":"API key not valid. Please pass one.","status":"INVALID_ARGUMENT"}}]'],
    ['a type', openAi('x', { type: 'authentication_error' })],
  ])('R35 a key that is refused with status 400 is not the client’s fault: %s', (_, body) => {
    expect(readFailure(400, body)).toMatchObject({
      status: 401,
      retryable: true,
      refusesAccount: true,
      error: { type: 'upstream_authentication_error', code: 'invalid_api_key' },
    });
  });

  test('RELAY-01 answers every status and body with an error status and a bounded message', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 999 }),
        fc.oneof(fc.string(), fc.json(), fc.string({ minLength: 5000 })),
        (status, body) => {
          const failure = readFailure(status, body);
          expect(failure.status).toBeGreaterThanOrEqual(400);
          expect(failure.status).toBeLessThan(600);
          expect(failure.error.message.length).toBeGreaterThan(0);
          expect(failure.error.message.length).toBeLessThanOrEqual(500);
          expect(failure.error.type.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('RELAY-01 cuts long names and messages', () => {
    const { error } = readFailure(400, openAi('m'.repeat(10_000), { type: 't'.repeat(1000), code: 'c'.repeat(1000) }));
    expect([error.message.length, error.type.length, String(error.code).length]).toEqual([500, 128, 128]);
  });
});

const bodyOf = (text: string): Readonly<Record<string, unknown>> => {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('no object');
  return value;
};

describe('an error that comes with a success status', () => {
  test.each([
    ['{"error":{"message":"x","code":"rate_limit_exceeded"}}', 429],
    ['{"error":{"message":"x","code":502}}', 502],
    ['{"error":{"message":"x","code":"401"}}', 401],
    ['{"error":{"message":"x","type":"invalid_request_error"}}', 400],
    ['{"error":{"message":"x","type":"permission_error"}}', 403],
    ['{"error":{"message":"x","code":"insufficient_quota"}}', 429],
    ['{"error":{"message":"x","code":"unheard_of"}}', 502],
    ['{"error":{"message":"x","code":200}}', 502],
    ['{"error":"x"}', 502],
    ['{"choices":[{}],"error":{"message":"x"}}', 502],
  ])('RELAY-05 %s means %i', (body, status) => {
    expect(reportedFailure(bodyOf(body))).toMatchObject({ status, error: { message: 'x' } });
  });

  test.each(['{}', '{"error":null}', '{"error":""}', '{"error":{}}', '{"choices":[]}'])(
    'RELAY-05 %s reports none',
    (body) => {
      expect(reportedFailure(bodyOf(body))).toBeNull();
    },
  );

  test.each([
    [1000, 502],
    [1001, 504],
    [1002, 429],
    [1004, 401],
    [1008, 429],
    [1026, 400],
    [1027, 400],
    [1039, 429],
    [2013, 400],
    [2049, 401],
    [2056, 429],
    [9999, 502],
  ])('PROVIDER-27 code %i of MiniMax means %i', (code, status) => {
    const body = `{"base_resp":{"status_code":${code},"status_msg":"reported"}}`;
    expect(miniMaxFailure(bodyOf(body))).toMatchObject({ status, error: { message: 'reported' } });
  });

  test('PROVIDER-27 MiniMax’s code 0, and any code beside an answer, is no failure', () => {
    expect(miniMaxFailure(bodyOf('{"base_resp":{"status_code":0,"status_msg":"success"}}'))).toBeNull();
    expect(miniMaxFailure(bodyOf('{"choices":[{"index":0}],"base_resp":{"status_code":1027}}'))).toBeNull();
    expect(miniMaxFailure(bodyOf('{"choices":[]}'))).toBeNull();
  });

  test.each([
    ['{"code":514,"statusText":"unAuthApiKey","message":"no key","data":null}', 401],
    ['{"code":403,"statusText":"unAuthApiKey","message":"no key"}', 401],
    ['{"code":500,"statusText":"","message":"broken"}', 502],
    ['{"code":50100,"message":"far"}', 502],
  ])('PROVIDER-22 %s of FastGPT means %i', (body, status) => {
    expect(fastGptFailure(bodyOf(body))).toMatchObject({ status });
  });

  test('PROVIDER-22 an answer of FastGPT is no failure', () => {
    expect(fastGptFailure(bodyOf('{"id":"","choices":[{"message":{"content":"a"}}]}'))).toBeNull();
    expect(fastGptFailure(bodyOf('{"code":200,"message":""}'))).toBeNull();
  });
});
