import { geminiForm } from '../../../test/fakes/vendors/fake-gemini.ts';
import { geminiFixtures } from '../../../test/provider-suite/gemini-fixtures.ts';
import { type FailureFixture, testProviders } from '../../../test/provider-suite/provider-suite.ts';

const failure = (
  status: number,
  name: string,
  message: string,
  expected: FailureFixture['expected'],
): FailureFixture => ({
  name: `${status} ${name}: ${message}`,
  status,
  body: JSON.stringify({ error: { code: status, message, status: name } }),
  expected,
});

testProviders([
  {
    type: 24,
    name: 'Google Gemini',
    upstream: { form: geminiForm, path: /^\/v1beta\/models\/[^/]+:\w+(\?alt=sse)?$/, keyHeader: 'x-goog-api-key' },
    model: 'gemini-2.5-flash',
    fixtures: geminiFixtures,
    failures: [
      failure(400, 'INVALID_ARGUMENT', 'Invalid value', {
        status: 400,
        type: 'invalid_request_error',
        code: 'invalid_argument',
      }),
      failure(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
        status: 401,
        type: 'upstream_authentication_error',
        code: 'invalid_api_key',
      }),
      failure(403, 'PERMISSION_DENIED', 'not allowed', {
        status: 403,
        type: 'upstream_authentication_error',
        code: 'permission_denied',
      }),
      failure(404, 'NOT_FOUND', 'models/x is not found', {
        status: 404,
        type: 'invalid_request_error',
        code: 'model_not_found',
      }),
      failure(429, 'RESOURCE_EXHAUSTED', 'quota', {
        status: 429,
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
      }),
      failure(500, 'INTERNAL', 'oh', { status: 502, type: 'server_error', code: 'internal' }),
      failure(503, 'UNAVAILABLE', 'overloaded', { status: 503, type: 'server_error', code: 'overloaded' }),
      failure(504, 'DEADLINE_EXCEEDED', 'late', { status: 504, type: 'server_error', code: 'deadline_exceeded' }),
    ],
    failureEvents: ['data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\r\n\r\n'],
  },
]);
