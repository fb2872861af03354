import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { creationFault, replicatePrediction } from '../fakes/vendors/fake-replicate.ts';
import type { UpstreamForm } from '../fakes/fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fakes/fake-upstream-check.ts';
import { isJson, objectOf } from '../parsing/json.ts';
import type { FailureFixture } from './provider-suite.ts';
import { answerSchema } from '../clients/dialect-client.ts';
import {
  type Scene,
  type ExpectedFailure,
  vendorFailure,
  vendorFixtures,
  type VendorFormat,
} from './vendor-fixtures.ts';

/** Whole predictions are waited for; streams are read where the prediction says, by a request of their own. */
export const replicateForm: UpstreamForm = {
  check: (input) => {
    const wrong = checkHeaders(input);
    if (wrong !== undefined) return wrong;
    const body = parse(input.body);
    if (!isJson(body)) return fault('The body is no JSON object', 422);
    const { url = '', headers } = input.request;
    const invalid = creationFault(url, headers.prefer, body);
    if (invalid !== undefined) return fault(invalid, 422);
    const stream = body['stream'] === true;
    return { model: url, stream, includeUsage: false, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: detail, status }) => JSON.stringify({ title: 'Refused', detail, status }),
  later: {
    opening: ({ stream }, origin) => {
      if (!stream) return null;
      const id = randomUUID().replaceAll('-', '');
      const begun = replicatePrediction(origin, id, { status: 'starting', output: null });
      return { status: 201, body: JSON.stringify(begun), path: `/v1/stream/${id}` };
    },
    check: ({ method, headers }, key) => {
      if (headers.authorization !== `Bearer ${key}`) return fault('Unauthenticated', 401);
      return method === 'GET' && headers.accept === 'text/event-stream' ? undefined : fault('Not found', 404);
    },
  },
};

/** One event of a stream: pieces are plain text. */
export const replicateEvent = (name: string, data: string): string =>
  `event: ${name}\nid: 1690212292:0\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;

const whole = ({ pieces }: Pick<Scene, 'pieces'>, state: object = { status: 'succeeded' }): string =>
  JSON.stringify(
    replicatePrediction('https://api.replicate.com', 'ufawqhfynnddngldkgtslldrkq', { output: pieces, ...state }),
  );

const checkRequest: VendorFormat['checkRequest'] = {
  text: ({ input }) =>
    expect(input).toMatchObject({ prompt: 'How is Paris?', system_prompt: 'Be brief.', max_tokens: 4000 }),
  json: ({ input }) =>
    expect(JSON.stringify(objectOf(input))).toContain(JSON.stringify(JSON.stringify(answerSchema)).slice(3, -3)),
};

/** What language models answer; those that count their tokens say so in whole predictions alone. */
const words = vendorFixtures({
  source: 'replicate.com, HTTP API reference, "Create a prediction" and "Streaming output"',
  whole,
  stream: ({ pieces }) => [
    ...pieces.map((piece) => replicateEvent('output', piece)),
    replicateEvent('logs', 'Prompt: 25 tokens'),
    replicateEvent('done', '{}'),
  ],
  hidesUsage: true,
  checkRequest,
});
export const replicateFixtures = { text: words.text, ...(words.json && { json: words.json }) };

const failure = (status: number, detail: string, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ title: 'as reported', detail, status }) }, expected);

const overMemory = 'CUDA out of memory';

export const replicateFailures: readonly FailureFixture[] = [
  failure(401, 'You did not pass a valid authentication token', [401, 'invalid_api_key']),
  failure(402, 'You have insufficient credit to run this model', [429, 'insufficient_quota']),
  failure(404, 'The requested resource could not be found', [404, null]),
  failure(422, '- input: prompt is required', [422, null]),
  failure(429, 'Request was throttled. Expected available in 1 second.', [429, 'rate_limit_exceeded']),
  failure(500, 'Internal error', [502, 'upstream_error']),
  vendorFailure(
    {
      status: 201,
      body: whole({ pieces: [] }, { status: 'failed', output: null, error: overMemory }),
      event: replicateEvent('error', JSON.stringify({ detail: overMemory })),
    },
    [502, 'upstream_error'],
  ),
  vendorFailure(
    {
      status: 201,
      body: whole({ pieces: [] }, { status: 'canceled', output: null }),
      event: replicateEvent('error', JSON.stringify({ detail: 'Prediction was canceled' })),
    },
    [502, 'upstream_error'],
  ),
];

export const replicateFailureEvents = [
  replicateEvent('error', JSON.stringify({ detail: overMemory })),
  replicateEvent('done', '{"reason":"canceled"}'),
  replicateEvent('done', '{"reason":"error"}'),
];
