import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, listOf, objectOf, textOf } from '../../parsing/json.ts';
import type { FailureFixture } from '../../provider-suite/provider-suite.ts';

import {
  type ExpectedFailure,
  vendorFailure,
  vendorFixtures,
  type VendorFormat,
} from '../../provider-suite/vendor-fixtures.ts';

const address = /^\/v1beta2\/models\/([^/:]+):generateMessage$/;
const members = ['prompt', 'temperature', 'topP', 'topK', 'candidateCount'];

/** PaLM's retired protocol, as private mirrors may still speak it (provider notes 7 and 21). */
export const palmForm: UpstreamForm = {
  check: (input) => {
    const wrong = checkHeaders({ ...input, path: address });
    if (wrong !== undefined) return wrong;
    const body = parse(input.body);
    if (!isJson(body)) return fault('Invalid JSON payload received.');
    const unknown = Object.keys(body).find((name) => !members.includes(name));
    if (unknown !== undefined) return fault(`Unknown name "${unknown}": Cannot find field.`);
    const { context, messages, ...more } = objectOf(body['prompt']);
    if (Object.keys(more).length > 0 || (context !== undefined && textOf(context) === ''))
      return fault('prompt is invalid');
    const parts = listOf(messages);
    if (
      parts.length === 0 ||
      parts.some(({ author, content }) => !/^[01]$/.test(textOf(author)) || textOf(content) === '')
    )
      return fault('prompt.messages is invalid');
    const temperature = body['temperature'];
    if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1))
      return fault('temperature must be in the range [0, 1]');
    const [, model = ''] = address.exec(input.request.url ?? '') ?? [];
    return { model, stream: false, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message, status }) =>
    JSON.stringify({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
};

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) =>
    expect(body['prompt']).toEqual({ context: 'Be brief.', messages: [{ author: '0', content: 'How is Paris?' }] }),
};

/** What PaLM answers: in one piece, and without usage. */
export const palmFixtures = vendorFixtures({
  source: 'PaLM API reference, generateMessage (provider notes 7 and 21.1)',
  hidesUsage: true,
  whole: ({ text }) =>
    JSON.stringify({
      candidates: [{ author: '1', content: text }],
      messages: [{ author: '0', content: 'How is Paris?' }],
    }),
  checkRequest,
});

const failure = (status: number, name: string, message: string, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ error: { code: status, message, status: name } }) }, expected);

export const palmFailures: readonly FailureFixture[] = [
  failure(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [401, 'invalid_api_key']),
  failure(403, 'PERMISSION_DENIED', 'not allowed', [403, 'permission_denied']),
  failure(404, 'NOT_FOUND', 'models/chat-bison-001 is not found', [404, 'model_retired']),
  failure(429, 'RESOURCE_EXHAUSTED', 'quota', [429, 'rate_limit_exceeded']),
  failure(500, 'INTERNAL', 'oh', [502, 'internal']),
];
