import { anthropicEvent, anthropicFixtures } from '../../../test/provider-suite/anthropic-fixtures.ts';
import { anthropicForm } from '../../../test/fakes/vendors/fake-anthropic.ts';
import { testProviders } from '../../../test/provider-suite/provider-suite.ts';

const failure = (
  status: number,
  type: string,
  text: string,
  expected: { status: number; type: string; code?: string },
) => ({
  name: `${status} ${type}: ${text}`,
  status,
  body: JSON.stringify({ type: 'error', error: { type, message: text }, request_id: 'req_1' }),
  expected: { code: type, ...expected },
});

testProviders([
  {
    type: 14,
    name: 'Anthropic Claude',
    upstream: { form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' },
    model: 'claude-sonnet-4-5',
    fixtures: anthropicFixtures,
    optionalEnd: 1,
    failures: [
      failure(400, 'invalid_request_error', 'max_tokens: too large', { status: 400, type: 'invalid_request_error' }),
      failure(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', {
        status: 429,
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      failure(401, 'authentication_error', 'invalid x-api-key', { status: 401, type: 'upstream_authentication_error' }),
      failure(402, 'billing_error', 'no money', {
        status: 429,
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      failure(403, 'permission_error', 'not allowed', { status: 403, type: 'upstream_authentication_error' }),
      failure(404, 'not_found_error', 'model: claude-9', { status: 404, type: 'not_found_error' }),
      failure(409, 'conflict_error', 'conflict', { status: 409, type: 'conflict_error' }),
      failure(413, 'request_too_large', 'Request exceeds the maximum size', { status: 413, type: 'request_too_large' }),
      failure(429, 'rate_limit_error', 'slow down', { status: 429, type: 'rate_limit_error' }),
      failure(500, 'api_error', 'Internal server error', { status: 502, type: 'server_error' }),
      failure(504, 'timeout_error', 'Request timed out', { status: 504, type: 'server_error' }),
      failure(529, 'overloaded_error', 'Overloaded', { status: 503, type: 'server_error' }),
    ],
    failureEvents: [anthropicEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })],
  },
]);
