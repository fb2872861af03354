import OpenAI from 'openai';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetric } from '../app/read-metric.ts';
import { buildRelayApp, testModel, until, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let client: OpenAI;

const clientFor = (key: string): OpenAI => new OpenAI({ apiKey: key, baseURL: `${relay.url}/v1`, maxRetries: 0 });

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
  client = clientFor(user.key);
});
afterAll(() => relay.close());

const messages = [{ role: 'user' as const, content: 'What is a weir?' }];
const question = { model: testModel, messages };
/** The words of the upstream's made answers. */
const words = 'river stone';

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

/** The request ids of everything that was charged so far. */
const charged = async (): Promise<readonly string[]> =>
  (await relay.app.db.read.selectFrom('ledger').select('request_id').where('kind', '=', 'use').execute()).map(
    ({ request_id }) => request_id,
  );

describe('the official client', () => {
  test('RELAY-04 gets a plain completion with its usage', async () => {
    relay.upstream.behave(() => ({ words: 2 }));
    const { data, response, request_id: id } = await client.chat.completions.create(question).withResponse();
    expect(data.choices[0]?.message.content).toBe(words);
    expect(data.usage).toEqual({ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 });
    expect(data).toMatchObject({ x_vendor_extra: { exact: '1e400' } });
    expect(id).toMatch(/^chatcmpl-/);
    const requestId = response.headers.get('x-oneapi-request-id') ?? '';
    expect(await relay.chargeOf(requestId)).toEqual({ amount: 4 + 2 * 2, estimated: 0 });
  });

  test('RELAY-04 gets a stream, whose usage it did not ask for and does not see', async () => {
    relay.upstream.behave(() => ({ words: 2 }));
    const { data, response } = await client.chat.completions.create({ ...question, stream: true }).withResponse();
    let text = '';
    for await (const part of data) {
      expect(part.choices).toHaveLength(1);
      text += part.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe(words);
    const requestId = response.headers.get('x-oneapi-request-id') ?? '';
    expect(await relay.chargeOf(requestId)).toEqual({ amount: 4 + 2 * 2, estimated: 0 });
  });

  test('RELAY-04 gets the usage of a stream if it requests it', async () => {
    relay.upstream.behave(() => ({ words: 5 }));
    const streamedQuestion = { ...question, stream: true, stream_options: { include_usage: true } } as const;
    const parts = await collect(await client.chat.completions.create(streamedQuestion));
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 5 } });
    expect(parts.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  test('RELAY-04 collects the chunks of a stream into one completion', async () => {
    relay.upstream.behave(() => ({ words: 3 }));
    const completion = await client.chat.completions.stream(question).finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'river stone über' } });
  });

  test('RELAY-10 that leaves a stream half way ends it at the upstream too, and pays for what it got', async () => {
    relay.upstream.behave(() => ({ words: 2000, eventDelayMs: 2 }));
    const before = (await charged()).length;
    const stream = await client.chat.completions.create({ ...question, stream: true });
    let seen = 0;
    for await (const _ of stream) {
      seen += 1;
      if (seen === 10) break;
    }
    await until(() => relay.upstream.running() === 0);
    await relay.settled();
    const entry = relay.upstream.journal().at(-1);
    expect(entry?.completed).toBe(false);
    expect(entry?.eventsSent).toBeLessThan(2000);
    const [requestId = ''] = (await charged()).slice(before);
    const charge = await relay.chargeOf(requestId);
    expect(charge?.estimated).toBe(1);
    expect(charge?.amount).toBeGreaterThan(8);
    expect(charge?.amount).toBeLessThan(2 * 2000);
  });

  test('S1 rejects a stream that the upstream broke off', async () => {
    relay.upstream.behave(() => ({ words: 20, cutAfterBytes: 2500 }));
    let text = '';
    const read = async () => {
      for await (const part of await client.chat.completions.create({ ...question, stream: true }))
        text += part.choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toThrow(OpenAI.APIError);
    expect(text).toMatch(/^river stone/);
    await expect(client.chat.completions.stream(question).finalChatCompletion()).rejects.toThrow(OpenAI.OpenAIError);
  });

  test('S1 rejects a stream that reports an error', async () => {
    const good = { id: 'c', choices: [{ index: 0, delta: { content: 'a' } }] };
    const bad = { error: { message: 'the model fell over', type: 'server_error', code: 'engine' } };
    relay.upstream.behave(() => ({ events: [good, bad].map((event) => `data: ${JSON.stringify(event)}\n\n`) }));
    const read = async () => collect(await client.chat.completions.create({ ...question, stream: true }));
    await expect(read()).rejects.toThrow('the model fell over');
  });
});

/** The upstream's status, the error that the client throws, and part of its message. */
const failures = [
  { status: 400, error: OpenAI.BadRequestError, message: 'broken as reported' },
  { status: 401, error: OpenAI.AuthenticationError, message: 'broken as reported' },
  { status: 403, error: OpenAI.PermissionDeniedError, message: 'broken as reported' },
  { status: 404, error: OpenAI.NotFoundError, message: 'broken as reported' },
  { status: 409, error: OpenAI.ConflictError, message: 'broken as reported' },
  { status: 422, error: OpenAI.UnprocessableEntityError, message: 'broken as reported' },
  { status: 429, error: OpenAI.RateLimitError, message: 'the upstream load of the current group is saturated' },
  { status: 500, error: OpenAI.InternalServerError, message: 'broken as reported' },
  { status: 503, error: OpenAI.InternalServerError, message: 'broken as reported' },
] as const;

const failureOf = async (pending: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
  const error = await pending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OpenAI.APIError)) throw new Error('the call did not fail as calls of an API do');
  return error;
};

describe('the official client after a failure', () => {
  for (const { status, error, message } of failures) {
    for (const stream of [false, true]) {
      test(`RELAY-04 throws ${error.name} for status ${status} of the upstream, stream: ${stream}`, async () => {
        const before = await charged();
        const body = JSON.stringify({ error: { message: 'broken as reported', type: 'odd', param: 'p', code: 'c' } });
        relay.upstream.behave(() => ({ status, body }));
        const thrown = await failureOf(client.chat.completions.create({ ...question, stream }));
        expect(thrown).toBeInstanceOf(error);
        expect(thrown.message).toContain(message);
        expect(thrown.message).toMatch(/\(request id: \d+\)$/);
        expect(await charged()).toEqual(before);
      });
    }
  }

  const refusals = [
    { name: 'a wrong key', key: 'sk-wrong', model: testModel, error: OpenAI.AuthenticationError },
    { name: 'a model that no channel serves', key: '', model: 'nothing', error: OpenAI.InternalServerError },
    { name: 'no model at all', key: '', model: '', error: OpenAI.BadRequestError },
  ];
  for (const { name, key, model, error } of refusals) {
    test(`RELAY-04 throws ${error.name} for ${name}`, async () => {
      const asking = clientFor(key === '' ? user.key : key).chat.completions.create({ ...question, model });
      const thrown = await failureOf(asking);
      expect(thrown).toBeInstanceOf(error);
      expect(thrown.message).toMatch(/\(request id: \d+\)$/);
    });
  }

  test('RELAY-04 throws PermissionDeniedError with the code of an empty account', async () => {
    const poor = await relay.addUser({ quota: 1 });
    const thrown = await failureOf(clientFor(poor.key).chat.completions.create(question));
    expect(thrown).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(thrown.code).toBe('insufficient_user_quota');
  });

  test('RELAY-04 throws APIConnectionError or a gateway error when the upstream refuses connections', async () => {
    const other = await relay.addUpstream();
    await other.close();
    await relay.addChannel({ base_url: other.url, key: other.key, models: 'unreachable' });
    const thrown = await failureOf(client.chat.completions.create({ ...question, model: 'unreachable' }));
    expect(thrown.status).toBe(502);
    expect(thrown.message).not.toContain('127.0.0.1');
  });
});

const limitedCalls = 'weir_relay_refusals_total{rule="rate_limit_concurrent"}';

test('RELAY-04 that waits as it is told reads answers alone, although a limit refuses some of its calls', async () => {
  const patient = new OpenAI({ apiKey: user.key, baseURL: `${relay.url}/v1`, maxRetries: 5 });
  // One call at a time, and the next ones are told to wait for a second.
  const rule = { scope: 'token', subject: String(user.tokenId), metric: 'concurrent', period: '', amount: 1 };
  const { id } = v.parse(v.object({ id: v.number() }), await relay.root.data('POST', '/api/rate-limit/', rule));
  relay.upstream.behave(() => ({ delayMs: 100 }));
  const refusedBefore = await readMetric(relay.app, limitedCalls);
  const answers = await Promise.all([1, 2, 3].map(() => patient.chat.completions.create(question)));
  expect(answers.map(({ choices }) => choices[0]?.message.role)).toEqual(['assistant', 'assistant', 'assistant']);
  expect(await readMetric(relay.app, limitedCalls)).toBeGreaterThan(refusedBefore);
  await relay.root.data('DELETE', `/api/rate-limit/${id}`);
  relay.upstream.behave(() => undefined);
});

test('RELAY-02 the official client lists the models and finds one', async () => {
  const ids = (await collect(client.models.list())).map(({ id }) => id);
  expect(ids).toEqual(['unreachable', testModel]);
  expect(await client.models.retrieve(testModel)).toMatchObject({ id: testModel, object: 'model', owned_by: 'custom' });
});

test('RELAY-07 ledger and upstream agree after all of this', async () => {
  await relay.settled();
  const faults = await relay.disagreements();
  // This client keeps no journal: only the ledger and the upstream's journal are compared.
  expect(faults.filter((fault) => !fault.startsWith('L10'))).toEqual([]);
});
