import { expect } from 'vitest';
import { anthropicFixtures } from './anthropic-fixtures.ts';
import { awsEvent } from '../fakes/vendors/aws-messages.ts';
import type { FailureFixture, Fixture } from './provider-suite.ts';
import { answerSchema, pixel } from '../clients/dialect-client.ts';
import { valueOfJson } from '../parsing/json.ts';
import { eventData } from '../parsing/event-data.ts';
import { type Scene, vendorFailure, vendorFixtures, type VendorFormat } from './vendor-fixtures.ts';

const usageOf = ({ prompt, completion, cached }: Scene) => ({
  inputTokens: prompt - cached,
  outputTokens: completion,
  totalTokens: prompt + completion,
  cacheReadInputTokens: cached,
  cacheWriteInputTokens: 0,
});

const stopOf = ({ calls }: Scene) => ({ stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' });

const wholeOf = (scene: Scene): string =>
  JSON.stringify({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(scene.reasoning === ''
            ? []
            : [{ reasoningContent: { reasoningText: { text: scene.reasoning, signature: 'c2ln' } } }]),
          { text: scene.text },
          ...scene.calls.map(({ id, name, arguments: given }) => ({
            toolUse: { toolUseId: id, name, input: valueOfJson(given) },
          })),
        ],
      },
    },
    ...stopOf(scene),
    usage: usageOf(scene),
    metrics: { latencyMs: 100 },
  });

const streamOf = (scene: Scene): readonly Buffer[] => {
  const delta = (contentBlockIndex: number, members: object) =>
    awsEvent('contentBlockDelta', { contentBlockIndex, delta: members });
  const thought =
    scene.reasoning === ''
      ? []
      : [
          delta(0, { reasoningContent: { text: scene.reasoning } }),
          delta(0, { reasoningContent: { signature: 'c2ln' } }),
          awsEvent('contentBlockStop', { contentBlockIndex: 0 }),
        ];
  return [
    awsEvent('messageStart', { role: 'assistant' }),
    ...thought,
    ...scene.pieces.map((text) => delta(1, { text })),
    awsEvent('contentBlockStop', { contentBlockIndex: 1 }),
    ...scene.calls.flatMap(({ id, name, arguments: given }, index) => [
      awsEvent('contentBlockStart', { contentBlockIndex: 2 + index, start: { toolUse: { toolUseId: id, name } } }),
      ...[given.slice(0, 6), given.slice(6)].map((input) => delta(2 + index, { toolUse: { input } })),
      awsEvent('contentBlockStop', { contentBlockIndex: 2 + index }),
    ]),
    awsEvent('messageStop', stopOf(scene)),
    awsEvent('metadata', { usage: usageOf(scene), metrics: { latencyMs: 100 } }),
  ];
};

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => {
    expect(JSON.stringify(body['messages'])).toContain('How is Paris?');
    expect(body).toMatchObject({ system: [{ text: 'Be brief.' }], inferenceConfig: { maxTokens: 4000 } });
  },
  tools: (body) =>
    expect(body['toolConfig']).toMatchObject({
      tools: [{ toolSpec: { name: 'get_weather', inputSchema: { json: { required: ['city'] } } } }],
    }),
  image: (body) =>
    expect(body['messages']).toMatchObject([
      {
        role: 'user',
        content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: pixel } } }],
      },
    ]),
  json: (body) =>
    expect(JSON.stringify(body['system'])).toContain(JSON.stringify(JSON.stringify(answerSchema)).slice(1, -1)),
  results: (body) =>
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', input: { city: 'Paris' } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: '18C' }] } }] },
    ]),
};

/** What `Converse` and `ConverseStream` answer. */
export const converseFixtures = vendorFixtures({
  source: 'Amazon Bedrock API reference, Converse and ConverseStream',
  whole: wholeOf,
  stream: streamOf,
  checkRequest,
});

const packed = (fixture: Fixture): Fixture => ({
  ...fixture,
  stream: fixture.stream.flatMap((event) =>
    eventData(String(event)).map((data) => awsEvent('chunk', { bytes: Buffer.from(data).toString('base64') })),
  ),
});

/** What Claude answers there: its own events, packed. */
export const bedrockClaudeFixtures = {
  text: packed(anthropicFixtures.text),
  tools: packed(anthropicFixtures.tools),
  image: packed(anthropicFixtures.image),
  json: packed(anthropicFixtures.json),
  results: packed(anthropicFixtures.results),
};

const failure = (status: number, expected: readonly [number, string]): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify({ message: `as reported by ${status}` }) }, expected);

/** The statuses of the service's exceptions. */
export const bedrockFailures: readonly FailureFixture[] = [
  vendorFailure({ status: 403, body: JSON.stringify({ Message: 'User is not authorized' }) }, [
    403,
    'permission_denied',
  ]),
  failure(408, [504, 'upstream_error']),
  failure(424, [502, 'upstream_error']),
  failure(429, [429, 'rate_limit_exceeded']),
  failure(500, [502, 'upstream_error']),
  failure(503, [503, 'upstream_error']),
];
