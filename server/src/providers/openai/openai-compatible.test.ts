import { chatFixtures } from '../../../test/provider-suite/chat-fixtures.ts';
import { testProviders, type FailureFixture } from '../../../test/provider-suite/provider-suite.ts';

const failure = (
  status: number,
  type: string,
  code: string | null,
  expected: FailureFixture['expected'],
): FailureFixture => ({
  name: `${status} ${code ?? type}`,
  status,
  body: JSON.stringify({ error: { message: 'as reported', type, param: null, code } }),
  expected,
});

testProviders([
  {
    type: 8,
    name: 'custom, OpenAI-compatible',
    upstream: {},
    model: 'vendor-model',
    fixtures: chatFixtures,
    optionalEnd: 2,
    failures: [
      failure(400, 'invalid_request_error', 'context_length_exceeded', {
        status: 400,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      }),
      failure(401, 'invalid_request_error', 'invalid_api_key', {
        status: 401,
        type: 'upstream_authentication_error',
        code: 'invalid_api_key',
      }),
      failure(404, 'invalid_request_error', 'model_not_found', {
        status: 404,
        type: 'invalid_request_error',
        code: 'model_not_found',
      }),
      failure(429, 'requests', 'rate_limit_exceeded', { status: 429, type: 'requests', code: 'rate_limit_exceeded' }),
      failure(429, 'insufficient_quota', 'insufficient_quota', {
        status: 429,
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      failure(500, 'server_error', null, { status: 502, type: 'server_error', code: 'upstream_error' }),
      failure(503, 'server_error', null, { status: 503, type: 'server_error', code: 'upstream_error' }),
    ],
    failureEvents: [`data: ${JSON.stringify({ error: { message: 'it fell over', type: 'server_error' } })}\n\n`],
  },
]);
