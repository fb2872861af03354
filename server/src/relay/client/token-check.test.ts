import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw, type RawAnswer } from '../../../test/clients/raw-client.ts';
import { buildRelayApp, testModel, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUserOptions } from '../../../test/app/relay-user.ts';
import { createTokenKey } from '../../store/credentials/token-key.ts';

let relay: RelayApp;
let channel: number;

beforeAll(async () => {
  relay = await buildRelayApp();
  channel = await relay.addChannel();
});
afterAll(() => relay.close());

const past = 1_600_000_000;
const subnet = '10.0.0.0/8,192.168.0.0/16';
const wrongNetwork = `this token can only be used in the given network segment: ${subnet}, current ip: 127.0.0.1`;

interface Refusal {
  readonly row: string;
  readonly caller: RelayUserOptions;
  /** Behind the key. */
  readonly suffix?: string;
  readonly body?: Readonly<Record<string, unknown>> | string;
  readonly status: number;
  readonly message: string;
}

/** The rows of the token check, each with a caller who would fail every later row too: the first one decides. */
const refusals: readonly Refusal[] = [
  {
    row: '3: an exhausted token',
    caller: { token: { status: 4, name: 'mine', expired_time: past, subnet }, allocation: 0, user: { status: 2 } },
    body: 'no json',
    status: 401,
    message: 'token mine (#ID) quota is used up',
  },
  {
    row: '4: a token marked as expired',
    caller: { token: { status: 3, expired_time: past, subnet }, allocation: 0, user: { status: 2 } },
    body: 'no json',
    status: 401,
    message: 'this token has expired',
  },
  {
    row: '5: a disabled token',
    caller: { token: { status: 2, expired_time: past, subnet }, allocation: 0, user: { status: 2 } },
    body: 'no json',
    status: 401,
    message: "this token's status is unavailable",
  },
  {
    row: '5: a token of an unknown status',
    caller: { token: { status: 9, expired_time: past }, allocation: 0 },
    status: 401,
    message: "this token's status is unavailable",
  },
  {
    row: '6: a token whose time is over',
    caller: { token: { expired_time: past, subnet }, allocation: 0, user: { status: 2 } },
    body: 'no json',
    status: 401,
    message: 'this token has expired',
  },
  {
    row: '7: a limited token with nothing left',
    caller: { token: { subnet }, allocation: 0, user: { status: 2 } },
    body: 'no json',
    status: 401,
    message: "this token's quota is used up",
  },
  {
    row: '8: a token used from elsewhere',
    caller: { token: { subnet }, user: { status: 2 } },
    body: 'no json',
    status: 403,
    message: wrongNetwork,
  },
  {
    row: '9: a token of a banned user',
    caller: { user: { status: 2 }, token: { models: 'other' } },
    body: 'no json',
    status: 403,
    message: 'user has been banned',
  },
  {
    row: '10: a body that is no JSON',
    caller: { token: { models: 'other' } },
    suffix: '-1',
    body: 'no json',
    status: 400,
    message: 'the body is not valid JSON',
  },
  {
    row: '11: a model that the token may not use',
    caller: { token: { models: `other, ${testModel},${testModel}-mini` } },
    suffix: '-1',
    status: 403,
    message: `this token has no permission to use model: ${testModel}`,
  },
  {
    row: '12: a channel named by an ordinary user',
    caller: {},
    suffix: '-1',
    status: 403,
    message: 'ordinary users cannot specify a channel',
  },
];

const messageOf = ({ error }: RawAnswer): string => String(error['message']);

/** The text of a short refusal. Its message must end with the id of the header. */
const refusalOf = (answer: RawAnswer) => {
  const mark = ` (request id: ${answer.requestId})`;
  const message = messageOf(answer);
  return {
    status: answer.status,
    members: Object.keys(answer.error).toSorted().join(),
    type: answer.error['type'],
    message: message.endsWith(mark) ? message.slice(0, -mark.length) : `without its id: ${message}`,
  };
};

const refused = (status: number, message: string, members = 'message,type') => ({
  status,
  members,
  type: 'one_api_error',
  message,
});

const chat = JSON.stringify({ model: testModel, messages: [{ role: 'user', content: 'hello' }] });
const askWith = (authorization: string | undefined, more: Readonly<Record<string, string>> = {}) => {
  const headers = {
    'content-type': 'application/json',
    ...more,
    ...(authorization !== undefined && { authorization }),
  };
  return sendRaw({ url: relay.url, path: '/v1/chat/completions', body: chat, headers });
};

describe('the token check', () => {
  for (const authorization of [undefined, '', 'Bearer sk-', 'sk-', 'Bearer  sk-']) {
    test(`RELAY-08 row 1: refuses a call without a key (${authorization ?? 'no header'})`, async () => {
      const more = { 'x-key': createTokenKey(), cookie: 'session=1' };
      expect(refusalOf(await askWith(authorization, more))).toEqual(refused(401, 'no token provided'));
    });
  }

  for (const header of ['x-api-key', 'x-goog-api-key', 'api-key']) {
    test(`RELAY-04 RELAY-08 C80 takes the key from ${header}, as clients of other vendors send it`, async () => {
      const user = await relay.addUser();
      expect((await askWith(undefined, { [header]: user.key })).status).toBe(200);
      expect((await askWith(`Bearer ${createTokenKey()}`, { [header]: user.key })).status).toBe(401);
      for (const empty of ['', 'Bearer ', 'Bearer sk-'])
        expect((await askWith(empty, { [header]: user.key })).status, `C80 beside "${empty}"`).toBe(200);
    });
  }

  const wrong = [
    'sk-wrong',
    createTokenKey(),
    '0'.repeat(48),
    `${'x'.repeat(4000)}`,
    'ключ'.replace(/./g, 'k'),
    "' or 1=1",
  ];
  for (const key of wrong) {
    test(`RELAY-08 row 2: refuses an unknown key (${key.slice(0, 12)})`, async () => {
      expect(refusalOf(await askWith(`Bearer ${key}`))).toEqual(refused(401, 'invalid token'));
    });
  }

  for (const { row, caller, suffix = '', body = {}, status, message } of refusals) {
    test(`RELAY-08 row ${row} is refused with ${status}`, async () => {
      const received = relay.upstream.journal().length;
      const user = await relay.addUser(caller);
      const answer = await relay.ask({ key: user.key + suffix, body });
      const members = row.startsWith('10') ? 'code,message,param,type' : 'message,type';
      expect(refusalOf(answer)).toEqual(refused(status, message.replace('ID', String(user.tokenId)), members));
      expect(relay.upstream.journal()).toHaveLength(received);
      expect(await relay.chargeOf(answer.requestId)).toBeNull();
      expect(await relay.userBalance(user.userId)).toEqual({ available: 1_000_000_000, held: 0, used: 0 });
    });
  }

  test('RELAY-08 lets a good token through, with or without its prefixes', async () => {
    const { key } = await relay.addUser({ allocation: 1_000_000, token: { subnet: '127.0.0.0/8', models: testModel } });
    for (const written of [key, key.replace('sk-', ''), `${key}-`])
      expect((await relay.ask({ key: written })).status).toBe(200);
    expect((await askWith(key)).status).toBe(200);
    expect((await askWith(`bearer ${key}`)).status).toBe(200);
  });

  test('RELAY-08 TOK-17 stores that a token expired or was used up, and refuses it for that the next time', async () => {
    const expired = await relay.addUser({ token: { expired_time: past } });
    const empty = await relay.addUser({ allocation: 0, token: { name: 'purse' } });
    const statusOf = async (id: number) =>
      (await relay.app.db.read.selectFrom('tokens').select('status').where('id', '=', id).executeTakeFirst())?.status;
    await relay.ask({ key: expired.key });
    await relay.ask({ key: empty.key });
    await expect.poll(() => statusOf(expired.tokenId)).toBe(3);
    await expect.poll(() => statusOf(empty.tokenId)).toBe(4);
    await expect
      .poll(async () => messageOf(await relay.ask({ key: empty.key })))
      .toContain(`token purse (#${empty.tokenId}) quota is used up`);
  });

  test('RELAY-08 lets a token go on up to its last second', async () => {
    const expires = Math.floor(relay.app.clock.now() / 1000) + 60;
    const { key } = await relay.addUser({ token: { expired_time: expires } });
    expect((await relay.ask({ key })).status).toBe(200);
    relay.app.clock.advance(62_000);
    expect(refusalOf(await relay.ask({ key }))).toEqual(refused(401, 'this token has expired'));
  });

  test('RELAY-08 answers in Chinese if the client requests it', async () => {
    const answer = await relay.ask({ key: 'wrong', headers: { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' } });
    expect(refusalOf(answer)).toEqual(refused(401, '无效的令牌'));
  });

  test('RELAY-08 guards the list of models too', async () => {
    const list = (key: string) =>
      sendRaw({ url: relay.url, method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${key}` } });
    for (const { caller, status, message } of refusals.slice(0, 8)) {
      const user = await relay.addUser(caller);
      expect(refusalOf(await list(user.key))).toEqual(refused(status, message.replace('ID', String(user.tokenId))));
    }
    const { key } = await relay.addUser();
    expect((await list(key)).status).toBe(200);
  });

  test('RELAY-08 ignores forwarded addresses while no proxy is trusted', async () => {
    const { key } = await relay.addUser({ token: { subnet } });
    const headers = { 'x-forwarded-for': '10.1.2.3', 'x-real-ip': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    expect(refusalOf(await relay.ask({ key, headers }))).toEqual(refused(403, wrongNetwork));
  });

  test('RELAY-08 uses the address that a trusted proxy forwards', async () => {
    const proxied = await buildRelayApp({ trustedProxies: ['127.0.0.1'] });
    try {
      await proxied.addChannel();
      const { key } = await proxied.addUser({ token: { subnet } });
      const from = (address: string) => proxied.ask({ key, headers: { 'x-forwarded-for': address } });
      expect((await from('10.1.2.3')).status).toBe(200);
      await proxied.settled();
      const [used] = await proxied.app.db.read.selectFrom('tokens').selectAll().where('subnet', '=', subnet).execute();
      expect(used).toMatchObject({ last_address: '10.1.2.3' });
      expect(used?.accessed_time).toBeGreaterThan(Math.floor(Date.now() / 1000) - 60);
      const spoofed = await from('10.1.2.3, 8.8.8.8');
      expect(refusalOf(spoofed)).toEqual(refused(403, wrongNetwork.replace('127.0.0.1', '8.8.8.8')));
    } finally {
      await proxied.close();
    }
  });
});

describe('a change of a token', () => {
  const manage = async () => {
    const owner = await relay.app.addUser(`owner${Date.now()}`);
    const grant = { opKey: `grant:${owner.id}`, amount: 1_000_000, actorId: 0, reason: 'test', log: null };
    await relay.app.db.post({ kind: 'credit', entry: 'grant', userId: owner.id, at: 1, ...grant });
    const created = await owner.call('POST', '/api/token/', { body: { name: 'changing', unlimited_quota: true } });
    const token: unknown = created.json['data'];
    if (typeof token !== 'object' || token === null || !('id' in token) || !('key' in token))
      throw new Error('no token');
    return { owner, id: Number(token.id), key: `sk-${String(token.key)}` };
  };

  test('RELAY-08 counts from the next request on: disabled, limited to a model, to a network, deleted', async () => {
    const { owner, id, key } = await manage();
    expect((await relay.ask({ key })).status).toBe(200);
    await owner.data('PUT', '/api/token/?status_only=true', { id, status: 2 });
    expect(refusalOf(await relay.ask({ key }))).toEqual(refused(401, "this token's status is unavailable"));
    await owner.data('PUT', '/api/token/?status_only=true', { id, status: 1 });
    expect((await relay.ask({ key })).status).toBe(200);
    await owner.data('PUT', '/api/token/', { id, models: 'other' });
    expect(refusalOf(await relay.ask({ key }))).toEqual(
      refused(403, `this token has no permission to use model: ${testModel}`),
    );
    await owner.data('PUT', '/api/token/', { id, models: '', subnet });
    expect(refusalOf(await relay.ask({ key }))).toEqual(refused(403, wrongNetwork));
    await owner.data('PUT', '/api/token/', { id, subnet: '', remain_quota: 0, unlimited_quota: false });
    expect(refusalOf(await relay.ask({ key }))).toEqual(refused(401, "this token's quota is used up"));
    const revived = await manage();
    expect((await relay.ask({ key: revived.key })).status).toBe(200);
    await revived.owner.data('DELETE', `/api/token/${revived.id}`);
    expect(refusalOf(await relay.ask({ key: revived.key }))).toEqual(refused(401, 'invalid token'));
  });

  test('RELAY-08 an administrator may pin a channel by the suffix of the key', async () => {
    const { key } = await relay.addUser({ user: { role: 10 } });
    expect((await relay.ask({ key: `${key}-${channel}` })).status).toBe(200);
    expect(refusalOf(await relay.ask({ key: `${key}-999999` }))).toEqual(refused(400, 'invalid channel id'));
    expect(refusalOf(await relay.ask({ key: `${key}-x` }))).toEqual(refused(400, 'invalid channel id'));
    await relay.changeChannel(channel, { status: 2 });
    expect(refusalOf(await relay.ask({ key: `${key}-${channel}` }))).toEqual(
      refused(403, 'this channel has been disabled'),
    );
    await relay.changeChannel(channel, { status: 1 });
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  const faults = await relay.disagreements();
  expect(faults.filter((fault) => !fault.startsWith('L10'))).toEqual([]);
});
