import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelSchema, type Channel } from '@weir/contract/channels';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { openChannelKey } from '../../store/channels/channels.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../test/fakes/fake-upstream.ts';

let app: TestApp;
let upstream: FakeUpstream;
let root: TestUser;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  upstream = await startFakeUpstream();
  root = await app.root();
  admin = await app.addUser('admin', role.admin);
});
afterAll(async () => {
  await app.close();
  await upstream.close();
});

const list = '/api/channel/';
let made = 0;

const channelIn = (data: unknown): Channel => v.parse(channelSchema, data);
const channelsIn = (data: unknown): Channel[] => v.parse(v.array(channelSchema), data);
const search = async (keyword: string) =>
  channelsIn(await admin.data('GET', `${list}search?keyword=${encodeURIComponent(keyword)}`));

const create = async (values: object = {}): Promise<Channel> => {
  made += 1;
  const name = `channel ${made} `;
  await admin.data('POST', list, { type: 1, name, key: `sk-key-${made}`, models: 'gpt-4o', ...values });
  const [newest] = channelsIn(await admin.data('GET', list));
  if (newest === undefined) throw new Error('no channel was made');
  return newest;
};
const get = async (id: number) => channelIn(await admin.data('GET', `${list}${id}`));
const row = (id: number) =>
  app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const abilities = (id: number) =>
  app.db.read
    .selectFrom('abilities')
    .select(['group', 'model', 'enabled', 'priority', 'weight'])
    .where('channel_id', '=', id)
    .orderBy('group')
    .orderBy('model')
    .execute();

test('API-05 CHAN-22 a new channel has every member and the defaults; its key is never sent back', async () => {
  const channel = await create({ key: 'sk-canary-key', models: 'b, a ,b,', config: '{"region":"eu"}' });
  expect(channel).toEqual({
    id: channel.id,
    type: 1,
    key: '',
    status: 1,
    status_reason: '',
    name: `channel ${made}`,
    weight: 0,
    created_time: channel.created_time,
    test_time: 0,
    response_time: 0,
    test_error: '',
    base_url: '',
    other: '',
    balance: 0,
    balance_currency: '',
    balance_updated_time: 0,
    models: 'b,a',
    group: 'default',
    used_quota: 0,
    model_mapping: '',
    priority: 0,
    config: '{"region":"eu"}',
    system_prompt: '',
  });
  expect(await get(channel.id)).toEqual(channel);
  const stored = await row(channel.id);
  expect(JSON.stringify(stored)).not.toContain('sk-canary-key');
  expect(openChannelKey(app.secrets, stored)).toBe('sk-canary-key');
  expect(await abilities(channel.id)).toEqual([
    { group: 'default', model: 'a', enabled: 1, priority: 0, weight: 0 },
    { group: 'default', model: 'b', enabled: 1, priority: 0, weight: 0 },
  ]);
});

test('CHAN-15 one channel for each line of the key that is not blank', async () => {
  await admin.data('POST', list, { name: 'batch', key: 'one\n\n two \r\nthree\n', models: 'm', group: 'vip,default' });
  const batch = await search('batch');
  expect(batch.map(({ name, group }) => [name, group])).toEqual(Array(3).fill(['batch', 'vip,default']));
  const keys = await Promise.all(batch.map(async ({ id }) => openChannelKey(app.secrets, await row(id))));
  expect(keys.toReversed()).toEqual(['one', 'two', 'three']);
});

test('CHAN-14 a missing required member of a channel is refused, in the language of the caller', async () => {
  const refused = (body: object) => admin.refused('POST', list, { name: 'x', key: 'k', models: 'm', ...body });
  const incomplete = 'Please fill in channel name and channel key';
  for (const body of [{ name: '' }, { name: '  ' }, { key: '' }, { key: ' \n ' }])
    expect(await refused(body)).toBe(incomplete);
  expect(await admin.refused('POST', list, {})).toBe(incomplete);
  for (const models of ['', ' , ']) expect(await refused({ models })).toBe('Please select at least one model');
  for (const mapping of ['{', '[]', '1', '{"a":1}', '{"a":{"b":"c"}}', 'null']) {
    expect(await refused({ model_mapping: mapping }), mapping).toBe('Model mapping must be valid JSON format');
  }
  expect(await refused({ config: '[]' })).toBe('Channel config must be a JSON object');
  const reply = await admin.call('POST', list, { body: { name: 'x' }, headers: { 'accept-language': 'zh' } });
  expect(reply.json['message']).toBe('请填写渠道名称和渠道密钥');
  expect(await search('x')).toEqual([]);
});

test.each([3, 8])(
  'R53 CHAN-14 a channel of type %i without an address is refused, and keeps the one that it has',
  async (type) => {
    const refusal = 'Channels of this type need a base URL';
    expect(await admin.refused('POST', list, { type, name: 'x', key: 'k', models: 'm', base_url: '' })).toBe(refusal);
    const channel = await create({ type, base_url: 'http://127.0.0.1:9' });
    expect(await admin.refused('PUT', list, { id: channel.id, key: 'k', base_url: '' })).toBe(refusal);
  },
);

test('CHAN-19 slashes at the end of a base URL are removed, and what is no web address is refused', async () => {
  expect((await create({ base_url: ' http://127.0.0.1:9/v1// ' })).base_url).toBe('http://127.0.0.1:9/v1');
  for (const url of ['ftp://a', 'a.example', 'https://user:pass@a.example', 'javascript:alert(1)']) {
    expect(await admin.refused('POST', list, { name: 'x', key: 'k', models: 'm', base_url: url }), url).toBe(
      'The base URL is not a valid http or https address',
    );
  }
});

test('the list is newest first, ten a page', async () => {
  for (let count = 0; count < 12; count += 1) await create();
  const first = channelsIn(await admin.data('GET', `${list}?p=0&id_sort=true`));
  const second = channelsIn(await admin.data('GET', `${list}?p=1`));
  expect(first).toHaveLength(10);
  const ids = [...first, ...second].map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
  expect(await admin.data('GET', `${list}?p=1000`)).toEqual([]);
});

test('CHAN-02 C21 searches by id, by a part of the name, by the whole key and by its last four characters', async () => {
  const channel = await create({ name: 'Findable', key: 'sk-needle-9x7Q' });
  const found = async (keyword: string) => (await search(keyword)).map(({ id }) => id);
  for (const keyword of [String(channel.id), 'find', 'FINDABLE', 'indable', 'sk-needle-9x7Q', '9x7Q']) {
    expect(await found(keyword), keyword).toContain(channel.id);
  }
  for (const keyword of ['sk-needle', 'needle-9x7Q', '9x7q', '%', 'sk-needle-9x7q']) {
    expect(await found(keyword), keyword).not.toContain(channel.id);
  }
});

test('CHAN-08 CHAN-09 partial updates change one member alone; a weight below 0 counts as 0', async () => {
  const channel = await create({ model_mapping: '{"a":"b"}', system_prompt: 'x' });
  const update = (values: object) => admin.data('PUT', list, { id: channel.id, ...values });
  expect(await update({ priority: -7 })).toEqual({ ...channel, priority: -7 });
  expect(await update({ priority: '8' })).toEqual({ ...channel, priority: 8 });
  expect(await update({ weight: 3 })).toEqual({ ...channel, priority: 8, weight: 3 });
  expect(await update({ weight: -3 })).toEqual({ ...channel, priority: 8, weight: 0 });
  expect(await abilities(channel.id)).toMatchObject([{ priority: 8, weight: 0 }]);
  expect(await update({ status: 2 })).toMatchObject({ status: 2 });
  expect(await abilities(channel.id)).toMatchObject([{ enabled: 0 }]);
  expect(await update({ status: 1 })).toMatchObject({ status: 1 });
  expect(await update({ priority: 0, model_mapping: '', system_prompt: '' })).toMatchObject({
    priority: 0,
    model_mapping: '',
    system_prompt: '',
  });
});

test('CHAN-04 only 1 and 2 can be set as a status; the stored one may be sent back', async () => {
  const channel = await create();
  for (const status of [3, -1, 99]) {
    expect(await admin.refused('PUT', list, { id: channel.id, status })).toBe('The status can only be set to 1 or 2');
  }
  await app.db.write
    .updateTable('channels')
    .set({ status: 3, status_reason: 'bad key' })
    .where('id', '=', channel.id)
    .execute();
  expect(await admin.data('PUT', list, { ...channel, status: 3, name: 'edited' })).toMatchObject({
    status: 3,
    name: 'edited',
  });
  expect(await admin.data('PUT', list, { id: channel.id, status: 1 })).toMatchObject({ status: 1 });
  expect((await row(channel.id)).status_reason).toBe('');
});

test('CHAN-21 an empty key keeps the stored one, and stale figures that a form echoes are not written', async () => {
  const channel = await create({ key: 'sk-first' });
  const echoed = { ...channel, used_quota: 99, balance: 5, response_time: 1, test_time: 1, created_time: 1, group: '' };
  expect(await admin.data('PUT', list, { ...echoed, name: '', models: '', key: '' })).toEqual(channel);
  expect(openChannelKey(app.secrets, await row(channel.id))).toBe('sk-first');
  await admin.data('PUT', list, { id: channel.id, key: 'sk-second' });
  expect(openChannelKey(app.secrets, await row(channel.id))).toBe('sk-second');
});

test('another type or base URL asks administrators for the key again, root not', async () => {
  const channel = await create({ base_url: 'http://127.0.0.1:9' });
  const message = 'Enter the key again when the type or base URL changes';
  for (const change of [{ base_url: 'http://127.0.0.1:8' }, { type: 14 }, { base_url: '' }]) {
    expect(await admin.refused('PUT', list, { id: channel.id, ...change })).toBe(message);
  }
  await admin.data('PUT', list, { ...channel, base_url: 'http://127.0.0.1:9/' });
  await admin.data('PUT', list, { id: channel.id, type: 14, key: 'sk-again' });
  expect(await root.data('PUT', list, { id: channel.id, base_url: 'http://127.0.0.1:7' })).toMatchObject({ type: 14 });
});

test('a deleted channel is gone with its key and what it offered; deleting it again succeeds', async () => {
  const channel = await create({ models: 'only-here' });
  const user = await app.addUser('reader');
  expect(await user.data('GET', '/api/user/available_models')).toContain('only-here');
  await admin.data('DELETE', `${list}${channel.id}/`);
  expect(await user.data('GET', '/api/user/available_models')).not.toContain('only-here');
  expect(await admin.refused('GET', `${list}${channel.id}`)).toBe('Record not found');
  expect(await admin.refused('PUT', list, { id: channel.id, name: 'x' })).toBe('Record not found');
  await admin.data('DELETE', `${list}${channel.id}`);
  expect(await row(channel.id)).toMatchObject({ key_sealed: '', key_digest: '', key_tail: '' });
});

test('more keys, groups and models at once than a transaction should hold are refused', async () => {
  const models = Array.from({ length: 2000 }, (_, index) => `model-${index}`).join(',');
  const key = Array.from({ length: 60 }, (_, index) => `key-${index}`).join('\n');
  expect(await admin.refused('POST', list, { name: 'wide', key, models })).toContain('Too many');
  expect(await search('wide')).toEqual([]);
});

test('CHAN-05 a test reports the seconds and the answer of the model, and the row keeps them', async () => {
  const channel = await create({ key: upstream.key, base_url: upstream.url, models: 'first,second' });
  const reply = await admin.call('GET', `${list}test/${channel.id}/?model=second`);
  expect(reply.json).toMatchObject({ success: true, modelName: 'second' });
  expect(reply.json['message']).not.toBe('');
  expect(reply.json['time']).toBeGreaterThan(0);
  const tested = await get(channel.id);
  expect(tested.response_time).toBeGreaterThan(0);
  expect(tested.test_time).toBeGreaterThan(0);
  const failing = await create({ key: 'wrong', base_url: upstream.url });
  const failed = await admin.call('GET', `${list}test/${failing.id}`);
  expect(failed.status).toBe(200);
  expect(failed.json).toMatchObject({ success: false, time: 0 });
  expect(failed.json['message']).toContain('401');
  expect(await admin.refused('GET', `${list}test/999999`)).toBe('Record not found');
});

test('CHAN-23 a user may call no channel endpoint, nor may a caller who is not signed in', async () => {
  const user = await app.addUser('user');
  for (const [method, path] of [
    ['GET', list],
    ['GET', `${list}search`],
    ['GET', `${list}1`],
    ['GET', `${list}test/1`],
    ['GET', `${list}models`],
    ['POST', list],
    ['PUT', list],
    ['DELETE', `${list}1`],
  ] as const) {
    const options = method === 'POST' || method === 'PUT' ? { body: { id: 1, status: 2 } } : {};
    expect((await user.call(method, path, options)).json['message'], path).toBe(
      'Not permitted: insufficient permission',
    );
    expect((await app.visitor().call(method, path, options)).status, path).toBe(401);
  }
});

test('C22 what happens to channels is in the audit log by the members that changed, without a key', async () => {
  const channel = await create({ key: 'sk-audit-canary' });
  await admin.data('PUT', list, { id: channel.id, key: 'sk-audit-canary-2', priority: 3 });
  // As a form sends it: with everything it was loaded with.
  await admin.data('PUT', list, { ...channel, priority: 4, key: '' });
  await admin.data('DELETE', `${list}${channel.id}`);
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('subject', '=', `channel ${channel.id}`)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
    ['create_channel', ''],
    ['update_channel', 'priority key'],
    ['update_channel', 'priority'],
    ['delete_channel', ''],
  ]);
  expect(JSON.stringify(rows) + app.logged()).not.toContain('canary');
});
