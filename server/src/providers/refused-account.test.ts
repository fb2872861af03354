import { describe, expect, test } from 'vitest';
import { anthropicFailure } from './anthropic/anthropic-failure.ts';
import { readFailure } from './failure.ts';
import { geminiFailure } from './google/gemini-failure.ts';

const refuses = (status: number, error: object): boolean =>
  readFailure(status, JSON.stringify({ error: { message: 'x', ...error } })).refusesAccount === true;

describe('what an upstream refuses a whole channel with', () => {
  test.each([
    [401, {}],
    [402, { message: 'Insufficient credits' }],
    [403, { type: 'permission_error' }],
    [403, { type: 'forbidden' }],
    [400, { type: 'authentication_error' }],
    [429, { type: 'insufficient_quota' }],
    [429, { code: 'insufficient_quota' }],
    [429, { type: 'exceeded_current_quota_error' }],
    [403, { code: 'account_deactivated' }],
    [400, { code: 'Arrearage' }],
    [403, { message: 'Sorry: Your access was terminated due to violation of our policies' }],
    [403, { message: 'This organization has been restricted.' }],
    [400, { message: 'Your credit balance is too low to access the API.' }],
    [400, { message: 'API key not valid. Please pass a valid API key.' }],
    [400, { message: 'Incorrect API key provided: xa***' }],
    [400, { message: 'API Key not found. Please pass a valid API key.' }],
    [403, { message: '您的账户已欠费' }],
    [403, { message: 'The security token included in the request is invalid.' }],
    [403, { message: 'not enough balance' }],
  ])('RELAY-06 R49 status %i with %j closes the channel', (status, error) => {
    expect(refuses(status, error)).toBe(true);
  });

  test.each([
    [403, { type: 'invalid_request_error', code: 'model_not_found' }],
    [403, { message: 'flagged by moderation' }],
    [404, { code: 'model_not_found' }],
    [429, { type: 'requests', code: 'rate_limit_exceeded' }],
    [500, { message: 'internal error' }],
    [503, {}],
    [404, { message: 'permission denied: no such model' }],
    [422, { message: 'the balance of the tree is wrong' }],
  ])('RELAY-06 status %i with %j does not', (status, error) => {
    expect(refuses(status, error)).toBe(false);
  });

  test.each([
    [400, { message: "Invalid value: 'your access was terminated'. Supported values are 'text' and 'json'." }],
    [422, { message: 'messages[0]: "api key expired" is no role' }],
    [400, { message: "Invalid value: 'Incorrect API key provided'" }],
    [404, { message: 'The model `permission denied` does not exist' }],
    [402, { message: 'This request requires more credits, or fewer max_tokens. You requested up to 99999 tokens' }],
  ])(
    'RELAY-06 errors that quote the request, or that are about one request’s limit, do not: %i %j',
    (status, error) => {
      expect(refuses(status, error)).toBe(false);
    },
  );

  test('S11 states the words where nothing but the message says it, so that they can be compared with the request', () => {
    const read = (status: number, error: object) => {
      const { refusesAccount, refusingWords } = readFailure(status, JSON.stringify({ error }));
      return { refusesAccount, refusingWords };
    };
    const words = (refusingWords: string) => ({ refusesAccount: true, refusingWords });
    expect(read(403, { message: 'Permission denied by the operator' })).toEqual(words('permission denied'));
    expect(read(401, { message: 'api key not valid' })).toEqual({ refusesAccount: true });
    expect(read(403, { message: 'permission denied', type: 'permission_error' })).toEqual({ refusesAccount: true });
    const credit = 'Your credit balance is too low to access the API.';
    const anthropic = (message: string) =>
      anthropicFailure(
        400,
        Buffer.from(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })),
      );
    expect(anthropic(credit)).toMatchObject(words('your credit balance is too low'));
    const gemini = (error: object) => geminiFailure(400, Buffer.from(JSON.stringify({ error })));
    const message = 'API key not valid. Please pass a valid API key.';
    expect(gemini({ message })).toMatchObject({ status: 401, ...words('API key not valid') });
    expect(gemini({ message: `Invalid role: ${message}` })).toMatchObject({ status: 400 });
    const certain = gemini({ message, details: [{ reason: 'API_KEY_INVALID' }] });
    expect(certain).toMatchObject({ status: 401, refusesAccount: true });
    expect(certain).not.toHaveProperty('refusingWords');
  });
});
