import { expect, test } from 'vitest';
import { dialectOf } from '../../dialects/dialects.ts';
import { parseObject } from '../../../test/parsing/json.ts';
import { RelayError, renderRelayError, type RelayErrorCode } from './relay-error.ts';

/** Refusals for lack of room, each with its status, Anthropic's name of it, Google's, and its text. */
const refusals: readonly (readonly [RelayErrorCode, number, anthropic: string, google: string, text: string])[] = [
  [
    'memory_call',
    413,
    'request_too_large',
    'INVALID_ARGUMENT',
    'the request and its answer are larger than this gateway holds of one call',
  ],
  [
    'memory_user',
    429,
    'rate_limit_error',
    'RESOURCE_EXHAUSTED',
    'your running calls hold too many bytes, try again when one of them has ended',
  ],
  ['memory_process', 503, 'overloaded_error', 'UNAVAILABLE', 'the running calls hold too many bytes, try again later'],
  [
    'unknown_state',
    429,
    'rate_limit_error',
    'RESOURCE_EXHAUSTED',
    'another of your requests names stored content of unknown size: send them one at a time',
  ],
  ['overloaded', 503, 'overloaded_error', 'UNAVAILABLE', 'too many requests are running, try again later'],
  ['stopping', 503, 'overloaded_error', 'UNAVAILABLE', 'the gateway is restarting, try again'],
];

const bodyAt = (path: string, code: RelayErrorCode): unknown => {
  const form = dialectOf(path, '')?.errors;
  if (form === undefined) throw new Error(`${path} has no dialect`);
  return parseObject(form.body(renderRelayError(new RelayError(code), 'en').error, 'r1'));
};

test.each(refusals)(
  'S3 S5 RELAY-01 the refusal %s has status %i, a time to come back, and the form of its client',
  (code, status, anthropic, google, text) => {
    const { error, retryAfter } = renderRelayError(new RelayError(code), 'en');
    // What is too large for one call is so the next time as well.
    expect([error.status, retryAfter]).toEqual([status, status === 413 ? '' : '1']);
    const message = `${text} (request id: r1)`;
    for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/embeddings'])
      expect(bodyAt(path, code), path).toEqual({ error: { message, type: 'one_api_error', param: '', code } });
    expect(bodyAt('/v1/messages', code)).toEqual({
      type: 'error',
      error: { type: anthropic, message },
      request_id: 'r1',
    });
    expect(bodyAt('/v1beta/models/gemini-2.5-pro:generateContent', code)).toEqual({
      error: { code: status, message, status: google },
    });
    expect(renderRelayError(new RelayError(code), 'zh').error.message).toMatch(/^\p{Script=Han}/u);
  },
);
