import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJson } from '../../parsing/json.ts';
import { sendRaw, type RawAnswer } from '../../clients/raw-client.ts';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel({ models: `${testModel},gpt-4o,zeta` });
  await relay.addChannel({ models: 'for-vips,gpt-4o', group: 'vip' });
  await relay.addChannel({ models: 'switched-off', name: 'off' });
  user = await relay.addUser();
});
afterAll(() => relay.close());

const send = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  sendRaw({ url: relay.url, method, path, headers: { authorization: `Bearer ${user.key}`, ...headers } });

describe('a path that does not exist', () => {
  const unknown = [
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/chat/completions'],
    ['PUT', '/v1/chat/completions'],
    ['DELETE', '/v1/models'],
    ['POST', '/v1/models'],
    ['GET', '/v1/models/'],
    ['POST', '/v1/unheard-of?x=1'],
    ['PROPFIND', '/v1/models'],
  ] as const;
  for (const [method, path] of unknown) {
    test(`RELAY-01 ${method} ${path} is answered 404 in the words of OpenAI`, async () => {
      const answer = await send(method, path);
      expect(answer.status).toBe(404);
      expect(answer.json).toEqual({
        error: {
          message: `Invalid URL (${method} ${path.replace(/\?.*/, '')})`,
          type: 'invalid_request_error',
          param: '',
          code: '',
        },
      });
      expect(answer.requestId).toMatch(/^\d{20,}$/);
    });
  }

  test('RELAY-01 a path that only begins like one of the relay is the console’s', async () => {
    expect((await send('GET', '/login')).headers['content-type']).not.toMatch(/json/);
  });
});

describe('an endpoint of OpenAI that is not offered', () => {
  const notOffered = [
    ['DELETE', '/v1/models/gpt-4o'],
    ['GET', '/v1/files'],
    ['GET', '/v1/files/file-1/content?x=1'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['POST', '/v1/assistants'],
    ['POST', '/v1/threads/t/runs'],
    ['POST', '/v1/batches'],
  ] as const;
  for (const [method, path] of notOffered) {
    test(`RELAY-02 ${method} ${path} says so to who has a key`, async () => {
      const answer = await send(method, path);
      expect(answer.status).toBe(501);
      expect(answer.json).toEqual({
        error: { message: 'API not implemented', type: 'one_api_error', param: '', code: 'api_not_implemented' },
      });
      expect((await send(method, path, { authorization: 'Bearer sk-wrong' })).status).toBe(401);
    });
  }
});

describe('a page of another origin', () => {
  const foreign = { origin: 'https://client.example' };
  const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };

  test('RELAY-01 may ask beforehand, without a key', async () => {
    const headers = { ...foreign, 'access-control-request-method': 'POST', authorization: '' };
    const answer = await send('OPTIONS', '/v1/chat/completions', headers);
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).toMatchObject({
      ...allowed,
      'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
      'access-control-allow-headers': '*',
      'access-control-max-age': '43200',
    });
  });

  test('RELAY-01 may read answers, refusals and streams', async () => {
    expect((await send('GET', '/v1/models', foreign)).headers).toMatchObject(allowed);
    expect((await relay.ask({ key: 'wrong', headers: foreign })).headers).toMatchObject(allowed);
    expect((await relay.ask({ key: user.key, headers: foreign })).headers).toMatchObject(allowed);
    const stream = await relay.ask({ key: user.key, headers: foreign, body: { stream: true } });
    expect(stream.headers).toMatchObject(allowed);
  });

  test('RELAY-01 is no page of the gateway itself, and no program', async () => {
    const own = { origin: `http://${new URL(relay.url).host}` };
    for (const headers of [own, {}]) {
      expect((await send('GET', '/v1/models', headers)).headers).not.toHaveProperty('access-control-allow-origin');
      expect((await send('OPTIONS', '/v1/models', headers)).status).toBe(404);
    }
  });
});

const modelsOf = (answer: RawAnswer): readonly unknown[] => {
  const { data } = answer.json;
  return Array.isArray(data) ? data : [];
};
const idsOf = (answer: RawAnswer): readonly unknown[] =>
  modelsOf(answer).map((model) => (isJson(model) ? model['id'] : undefined));

describe('the list of models', () => {
  test('RELAY-02 names what the enabled channels of the group serve, once each', async () => {
    const [off] = await relay.app.db.read.selectFrom('channels').select('id').where('name', '=', 'off').execute();
    await relay.changeChannel(off?.id ?? 0, { status: 2 });
    const answer = await send('GET', '/v1/models');
    expect(answer.status).toBe(200);
    expect(answer.json['object']).toBe('list');
    expect(idsOf(answer)).toEqual(['gpt-4o', testModel, 'zeta']);
    const [known, custom] = modelsOf(answer);
    expect(known).toMatchObject({
      id: 'gpt-4o',
      object: 'model',
      created: 1626777600,
      owned_by: 'openai',
      root: 'gpt-4o',
      parent: null,
    });
    expect(known).toMatchObject({ permission: [{ object: 'model_permission', organization: '*', group: null }] });
    expect(custom).toMatchObject({ id: testModel, owned_by: 'custom', permission: null });
    await relay.changeChannel(off?.id ?? 0, { status: 1 });
    expect(idsOf(await send('GET', '/v1/models'))).toContain('switched-off');
  });

  test('RELAY-02 names what another group gets to its own users alone', async () => {
    const vip = await relay.addUser({ user: { group: 'vip' } });
    const authorization = `Bearer ${vip.key}`;
    expect(idsOf(await send('GET', '/v1/models', { authorization }))).toEqual(['for-vips', 'gpt-4o']);
    const userWithoutModels = await relay.addUser({ user: { group: 'empty' } });
    const answer = await send('GET', '/v1/models', { authorization: `Bearer ${userWithoutModels.key}` });
    expect(answer.json).toEqual({ object: 'list', data: [] });
  });

  test('RELAY-02 names the models of a token that is limited to some', async () => {
    const limited = await relay.addUser({ token: { models: `${testModel},unserved` } });
    const answer = await send('GET', '/v1/models', { authorization: `Bearer ${limited.key}` });
    expect(idsOf(answer)).toEqual([testModel, 'unserved']);
  });

  test('RELAY-02 finds one model, from the catalogue or from a channel, and says of others that they do not exist', async () => {
    expect((await send('GET', '/v1/models/gpt-4o')).json).toMatchObject({ id: 'gpt-4o', owned_by: 'openai' });
    expect((await send('GET', '/v1/models/gpt-3.5-turbo')).json).toMatchObject({ id: 'gpt-3.5-turbo' });
    expect((await send('GET', `/v1/models/${testModel.replace('-', '%2D')}`)).json).toMatchObject({ id: testModel });
    const unknown = await send('GET', '/v1/models/un%2Fheard%20of');
    expect(unknown.status).toBe(200);
    expect(unknown.json).toEqual({
      error: {
        message: "The model 'un/heard of' does not exist",
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    });
    expect((await send('GET', '/v1/models/%E0%A4%A')).status).toBe(200);
  });

  test('RELAY-02 has a head', async () => {
    const [head, whole] = [await send('HEAD', '/v1/models'), await send('GET', '/v1/models')];
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
