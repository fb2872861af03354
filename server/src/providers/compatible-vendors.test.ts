import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { promptTokens, textTokens } from '../../test/oracles/count-tokens.ts';
import { chatFixtures } from '../../test/provider-suite/chat-fixtures.ts';
import { type Behaviour, madeText, type FakeUpstream } from '../../test/fakes/fake-upstream.ts';
import { parseObject } from '../../test/parsing/json.ts';
import { messagesClient } from '../../test/clients/messages-client.ts';
import { isQuestionKind } from '../../test/provider-suite/provider-suite.ts';
import { sendRaw } from '../../test/clients/raw-client.ts';
import { buildRelayApp, testPrice, type RelayApp } from '../../test/app/relay-app.ts';
import type { RelayUser } from '../../test/app/relay-user.ts';
import type { Question } from '../../test/clients/dialect-client.ts';
import { providerOf } from './providers.ts';

let relay: RelayApp;
let user: RelayUser;
/** Serves OpenAI's format below any path, with OpenAI's key header, and with Azure's. */
let plainKeyed: FakeUpstream;
let azureKeyed: FakeUpstream;

const channelKey = 'sk-canary-0123456789abcdef-channel';

beforeAll(async () => {
  relay = await buildRelayApp();
  const path = /^\/(type\d+\/((ai\/)?v1\/)?(chat\/completions|text\/chatcompletion_v2)|openai\/)/;
  plainKeyed = await relay.addUpstream({ key: channelKey, path });
  azureKeyed = await relay.addUpstream({ key: channelKey, path, keyHeader: 'api-key' });
  user = await relay.addUser();
  const prices = (value: number) =>
    JSON.stringify(Object.fromEntries(compatible.map(({ id }) => [`model-${id}`, value])));
  await relay.setOption('ModelRatio', prices(1));
  await relay.setOption('CompletionRatio', prices(2));
});
afterAll(() => relay.close());

/** Vendors whose chat completions are passed through. The row of a new vendor adds it to these tests. */
const compatible = vendorList.filter(({ id }) => providerOf(id)?.native['openai-chat'] !== undefined);
const azureType = 3;
/** Vendors that stream no usage unless the client requests it, and one whose figures are placeholders. */
const silent = [16, 18, 19, 22, 26, 28, 31, 48];
const dummy = 22;
/** Vendors that refuse `stream_options`: Azure in versions like that of these tests, Mistral. */
const refusesOptions = [3, 28];

/** A base URL of Cloudflare contains the account if its path ends like this. */
const versionOf = (type: number): string => (type === 37 ? 'ai/v1' : 'v1');

const messages = [{ role: 'user', content: 'What does a weir do?' }];
const prompt = promptTokens(messages);
const counted = (words: number) => ({
  amount: testPrice({ prompt, completion: textTokens(madeText(words)) }),
  estimated: 1,
});
const reported = (words: number) => ({ amount: testPrice({ prompt: 5, completion: words }), estimated: 0 });

test('PROVIDER-1 PROVIDER-2 PROVIDER-4 PROVIDER-5 PROVIDER-6 PROVIDER-7 PROVIDER-8 PROVIDER-9 PROVIDER-10 PROVIDER-12 PROVIDER-13 PROVIDER-19 PROVIDER-26 PROVIDER-31 each vendor of the reference has the format that it had there', () => {
  const known = (vendors: typeof vendorList) =>
    vendors.flatMap(({ id }) => (id <= 51 ? [id] : [])).toSorted((a, b) => a - b);
  expect(known(compatible)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 18, 19, 20, 22, 23, 25, 26, 27, 28, 29, 31, 32, 36, 37, 39, 40, 41, 44,
    45, 47, 48, 49, 50, 51,
  ]);
  expect(known(vendorList.filter((vendor) => !compatible.includes(vendor)))).toEqual([
    11, 14, 15, 17, 21, 24, 30, 33, 34, 35, 38, 42, 43, 46,
  ]);
});

test.each(vendorList.map(({ id, name, wire }) => ({ id, name, wire })))(
  'PROVIDER-$id $name holds conversations, unless it only passes calls through',
  ({ id, wire }) => {
    expect(providerOf(id)?.codec !== undefined).toBe(wire !== 'rawProxy');
  },
);

describe.each(compatible.map(({ id, name }) => ({ type: id, name })))('PROVIDER-$type $name', ({ type }) => {
  const model = `model-${type}`;
  let channel = 0;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = type === azureType ? azureKeyed : plainKeyed;
    const base = type === azureType ? upstream.url : `${upstream.url}/type${type}/${versionOf(type)}`;
    channel = await relay.addChannel({
      type,
      name: `type ${type}`,
      base_url: base,
      key: channelKey,
      models: model,
      other: '',
    });
  });

  const ask = (members: object) => relay.ask({ key: user.key, body: { model, messages, ...members } });
  const last = () => upstream.journal().at(-1);

  test(`PROVIDER-${type} relays a plain answer and charges what it reports`, async () => {
    upstream.behave(() => ({ words: 6 }));
    const answer = await ask({});
    expect(answer.status).toBe(200);
    expect(answer.json['choices']).toMatchObject([{ message: { content: madeText(6) } }]);
    expect(answer.json).toHaveProperty('x_vendor_extra');
    expect(await relay.chargeOf(answer.requestId)).toEqual(type === dummy ? counted(6) : reported(6));
    expect(await relay.logOf(answer.requestId)).toMatchObject({ channel_id: channel, model_name: model });
    expect(last()?.path).toBe(
      type === azureType
        ? `/openai/deployments/${model}/chat/completions?api-version=2024-03-01-preview`
        : `/type${type}/${versionOf(type)}/chat/completions`,
    );
  });

  test(`PROVIDER-${type} relays a stream and charges what it reports, or counts`, async () => {
    upstream.behave(() => ({ words: 6 }));
    const answer = await ask({ stream: true });
    expect(answer.complete).toBe(true);
    expect(
      answer.text
        .match(/"content":"[^"]+"/g)
        ?.map((one) => one.slice(11, -1))
        .join(''),
    ).toBe(madeText(6));
    expect(answer.text).not.toContain('"choices":[]');
    const asks = type !== azureType && !silent.includes(type);
    expect(last()?.request?.includeUsage).toBe(asks);
    expect(await relay.chargeOf(answer.requestId)).toEqual(asks ? reported(6) : counted(6));
  });

  test(`PROVIDER-${type} R18 R37 gives the client the usage of a stream if requested`, async () => {
    upstream.behave(() => ({ words: 6 }));
    const answer = await ask({ stream: true, stream_options: { include_usage: true } });
    expect(answer.complete).toBe(true);
    const charge = await relay.chargeOf(answer.requestId);
    if (refusesOptions.includes(type)) {
      const completion = textTokens(madeText(6));
      const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
      expect(last()?.body.toString()).not.toContain('stream_options');
      expect(answer.text.match(/"usage":\{.*?\}/g)).toEqual([`"usage":${JSON.stringify(usage)}`]);
      return expect(charge).toEqual(counted(6));
    }
    expect(answer.text).toContain('"usage":{"prompt_tokens":5,"completion_tokens":6,"total_tokens":11}');
    expect(charge).toEqual(type === dummy ? counted(6) : reported(6));
  });

  test(`PROVIDER-${type} maps errors and never shows the channel’s key`, async () => {
    for (const stream of [false, true]) {
      const message = `Incorrect API key provided: ${channelKey}.`;
      upstream.behave(() => ({
        status: 401,
        body: JSON.stringify({ error: { message, type: 'x', code: 'invalid_api_key' } }),
      }));
      const refused = await ask({ stream });
      expect(refused.status).toBe(401);
      expect(refused.error).toMatchObject({ type: 'upstream_authentication_error', code: 'invalid_api_key' });
      upstream.behave(() => ({ status: 500, body: `internal: ${channelKey}` }));
      const broken = await ask({ stream });
      expect(broken.status).toBe(502);
      expect(refused.text + broken.text).not.toContain('canary');
      expect([await relay.chargeOf(refused.requestId), await relay.chargeOf(broken.requestId)]).toEqual([null, null]);
    }
  });

  test(`PROVIDER-${type} passes the test of a channel, which costs nothing`, async () => {
    upstream.behave(() => ({ words: 3 }));
    const before = await relay.app.db.read.selectFrom('ledger').select('id').execute();
    const reply = await relay.root.call('GET', `/api/channel/test/${channel}`);
    expect(reply.json).toMatchObject({ success: true, modelName: model });
    expect(Number(reply.json['time'])).toBeGreaterThan(0);
    upstream.behave(() => ({ status: 401, body: JSON.stringify({ error: { message: `no: ${channelKey}` } }) }));
    const failed = await relay.root.call('GET', `/api/channel/test/${channel}`);
    expect(failed.json).toMatchObject({ success: false, message: 'http status code: 401, error message: no: ***' });
    expect(await relay.app.db.read.selectFrom('ledger').select('id').execute()).toHaveLength(before.length);
  });
});

describe('what vendors do differently', () => {
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  const done = 'data: [DONE]\n\n';
  const ask = (type: number, stream: boolean) =>
    relay.ask({ key: user.key, body: { model: `model-${type}`, messages, stream } });

  /** These are held to the whole suite of providers in other files; 48 is what 18 is without a socket. */
  const inSuite = new Set([8, 16, 18, 19, 20, 22, 23, 25, 26, 27, 28, 29, 31, 36, 48]);
  const rows = compatible.map(({ id }) => id).filter((id) => !inSuite.has(id));
  test.each(rows)(
    'PROVIDER-%i RELAY-03 serves another dialect, and reads streams of single bytes or cut anywhere',
    async (type) => {
      const upstream = type === azureType ? azureKeyed : plainKeyed;
      const talk = async (kind: Question['kind'], behaviour: Behaviour) => {
        upstream.behave(() => behaviour);
        const question = { kind, model: `model-${type}`, stream: true };
        const headers = { 'x-api-key': user.key, 'content-type': 'application/json' };
        const body = JSON.stringify(messagesClient.body(question));
        const answer = await sendRaw({ url: relay.url, path: messagesClient.path(question), headers, body });
        expect(answer.status, answer.text).toBe(200);
        return messagesClient.readStream(answer.text.replace(/event: error\n/, ''));
      };
      const { image, json, results, tools } = chatFixtures;
      for (const [kind, fixture] of Object.entries({ image, json, results, tools })) {
        if (!isQuestionKind(kind)) continue;
        const behaviour = { events: fixture.stream, ...(kind === 'tools' && { pieceBytes: 1 }) };
        const { text, finish, calls, ended } = await talk(kind, behaviour);
        const { expected, checkRequest } = fixture;
        expect([text, finish, ended], kind).toEqual([expected.text, expected.finish, true]);
        expect(calls.map((call) => call.arguments)).toEqual(expected.calls.map((call) => call.arguments));
        checkRequest?.(parseObject(upstream.journal().at(-1)?.body.toString() ?? ''));
      }
      for (const endAfterEvents of [2, 3, 6])
        expect((await talk('tools', { events: tools.stream, endAfterEvents })).ended).toBe(false);
    },
  );

  test('PROVIDER-3 drops the filter results that Azure sends in front', async () => {
    const filter = event({ id: '', model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] });
    const events = [
      event({ id: 'c', choices: [{ index: 0, delta: { content: 'a' } }] }),
      event({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ];
    azureKeyed.behave(() => ({ events: [filter, ...events, done] }));
    const answer = await ask(3, true);
    expect(answer.text).toBe([...events, done].join(''));
  });

  test('PROVIDER-20 passes comments on and ends with the error that comes as a chunk', async () => {
    const chunk = event({ id: 'gen-1', choices: [{ index: 0, delta: { content: 'a' } }] });
    const error = { code: 502, message: 'Provider disconnected' };
    plainKeyed.behave(() => ({
      events: [
        ': OPENROUTER PROCESSING\n\n',
        chunk,
        event({ id: 'gen-1', error, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] }),
      ],
    }));
    const answer = await ask(20, true);
    expect(answer.text.startsWith(`: OPENROUTER PROCESSING\n\n${chunk}`)).toBe(true);
    expect(answer.text).toContain('Provider disconnected');
    expect(answer.complete).toBe(false);
  });

  test('PROVIDER-25 is charged by the usage in its first choice', async () => {
    const usage = { prompt_tokens: 31, completion_tokens: 9, total_tokens: 40 };
    const events = [
      event({ id: 'c', choices: [{ index: 0, delta: { content: 'a' } }] }),
      event({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }),
      done,
    ];
    plainKeyed.behave(() => ({ events }));
    const answer = await ask(25, true);
    expect(answer.text).toBe(events.join(''));
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 31 + 18, estimated: 0 });
  });

  test('PROVIDER-27 reads its errors of status 200, and drops the whole message at the end of a stream', async () => {
    plainKeyed.behave(() => ({ body: JSON.stringify({ base_resp: { status_code: 1002, status_msg: 'rate limit' } }) }));
    expect((await ask(27, false)).status).toBe(429);
    plainKeyed.behave(() => ({ events: [event({ base_resp: { status_code: 2013, status_msg: 'bad parameter' } })] }));
    const refused = await ask(27, true);
    expect(refused.status).toBe(400);
    expect(refused.error['message']).toContain('bad parameter');
    const usage = { total_tokens: 20, prompt_tokens: 12, completion_tokens: 8 };
    const part = event({ id: 'c', choices: [{ index: 0, delta: { content: 'whole' }, finish_reason: 'stop' }] });
    const whole = event({
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: 'whole' }, finish_reason: 'stop' }],
      usage,
      base_resp: { status_code: 0 },
    });
    plainKeyed.behave(() => ({ events: [part, whole] }));
    const answer = await ask(27, true);
    expect(answer.text).toBe(part + done);
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 12 + 16, estimated: 0 });
  });

  test('PROVIDER-22 reads its errors of status 200', async () => {
    plainKeyed.behave(() => ({
      body: JSON.stringify({ code: 514, statusText: 'unAuthApiKey', message: 'unknown key', data: null }),
    }));
    const answer = await ask(22, false);
    expect(answer.status).toBe(401);
    expect(answer.error['message']).toContain('unknown key');
    expect(await relay.chargeOf(answer.requestId)).toBeNull();
  });

  test('PROVIDER-28 counts content that comes in parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Let me think.' }] },
      { type: 'text', text: ' A weir.' },
    ];
    plainKeyed.behave(() => ({
      events: [event({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }), done],
    }));
    const answer = await ask(28, true);
    expect(await relay.chargeOf(answer.requestId)).toEqual({
      amount: testPrice({ prompt, completion: textTokens('Let me think. A weir.') }),
      estimated: 1,
    });
  });
});

test('RELAY-01 B45 the channel’s key is in no log line, no log row and no ledger entry', async () => {
  const logs = await relay.app.db.read.selectFrom('logs').selectAll().execute();
  const ledger = await relay.app.db.read.selectFrom('ledger').selectAll().execute();
  const channels = await relay.app.db.read.selectFrom('channels').selectAll().execute();
  const everything = relay.app.logged() + JSON.stringify([logs, ledger, channels]);
  expect(everything.length).toBeGreaterThan(10_000);
  expect(everything).not.toContain('canary');
  expect(everything).not.toContain(user.key.slice(3));
});

test('RELAY-07 ledger, clients and upstreams agree after all of this', async () => {
  const faults = await relay.disagreements();
  // The dummy figures of FastGPT are not what its answers cost.
  const fastGpt = plainKeyed
    .journal()
    .flatMap(({ request }) => (request?.model === `model-${dummy}` ? [request.nonce] : []));
  expect(faults.filter((fault) => !fastGpt.some((nonce) => fault.includes(nonce)))).toEqual([]);
});
