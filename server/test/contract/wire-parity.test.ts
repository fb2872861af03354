import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp, type TestUser } from '../app/app.ts';
import { startFakeUpstream } from '../fakes/fake-upstream.ts';
import { isJson } from '../parsing/json.ts';

let app: TestApp;
let root: TestUser;

beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
});

afterAll(async () => {
  await app.close();
});

/** The newest entry of a list. */
const newest = async (path: string) => {
  const listed = await root.data('GET', path);
  const first: unknown = Array.isArray(listed) ? listed[0] : undefined;
  if (!isJson(first)) throw new Error(`${path}: empty`);
  return first;
};

describe('what consoles of other people send', () => {
  test('API-02 a token is made, echoed whole by a form, switched by its status alone, and deleted with a slash at the end', async () => {
    const form = {
      name: 'ci',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      models: '',
      subnet: '',
    };
    await root.data('POST', '/api/token/', form);
    const made = await newest('/api/token/?p=0&order=');
    expect(made).toMatchObject({ ...form, status: 1 });
    const id = Number(made['id']);
    const shown = await root.data('GET', `/api/token/${id}`);
    expect(shown).toMatchObject({ models: '' });
    const echoed = { ...made, name: 'ci 2', subnet: '10.0.0.0/8' };
    expect(await root.data('PUT', '/api/token/', echoed)).toMatchObject({ name: 'ci 2', remain_quota: 500_000 });
    expect(await root.data('PUT', '/api/token/?status_only=true', { id, status: 2 })).toMatchObject({ status: 2 });
    expect(await root.data('GET', '/api/token/search?keyword=ci&token=')).toMatchObject([{ id, status: 2 }]);
    await root.data('DELETE', `/api/token/${id}/`);
    expect(await root.data('GET', '/api/token/?p=0&size=10&order=')).toEqual([]);
  });

  test('API-02 codes come as a list and add a number to the quota', async () => {
    const codes = await root.data('POST', '/api/redemption/', { name: 'jan', quota: 100_000, count: 2 });
    expect(codes).toHaveLength(2);
    const { id, key } = await newest('/api/redemption/?p=0');
    const switched = await root.data('PUT', '/api/redemption/?status_only=true', { id, status: 2 });
    expect(switched).toMatchObject({ id, status: 2 });
    await root.data('PUT', '/api/redemption/?status_only=true', { id, status: 1 });
    expect(await root.data('POST', '/api/user/topup', { key })).toBe(100_000);
  });

  test('API-02 managing an account answers with its status and its role', async () => {
    await root.data('POST', '/api/user/', { username: 'alice', password: 'alicepass1', display_name: '' });
    const manage = (action: string) => root.data('POST', '/api/user/manage', { username: 'alice', action });
    expect(await manage('promote')).toMatchObject({ role: 10, status: 1 });
    expect(await manage('demote')).toMatchObject({ role: 1, status: 1 });
    expect(await manage('disable')).toMatchObject({ role: 1, status: 2 });
    expect(await manage('delete')).toMatchObject({ status: 3 });
  });

  test('API-02 a channel is made, tested with its time at the top, switched, edited with an empty key, and deleted', async () => {
    await using ended = new AsyncDisposableStack();
    const upstream = await startFakeUpstream();
    ended.defer(upstream.close);
    const form = { type: 1, name: 'main', models: 'gpt-4o', group: 'default', groups: ['default'], config: '{}' };
    await root.data('POST', '/api/channel/', { ...form, key: upstream.key, base_url: upstream.url, model_mapping: '' });
    const made = await newest('/api/channel/?p=0');
    expect(made).toMatchObject({ models: 'gpt-4o', group: 'default', model_mapping: '', key: '' });
    const id = Number(made['id']);
    const passed = await root.call('GET', `/api/channel/test/${id}?model=gpt-4o`);
    expect(passed.json).toMatchObject({ success: true, modelName: 'gpt-4o' });
    expect(passed.json['time']).toBeTypeOf('number');
    expect(await root.data('PUT', '/api/channel/', { id, status: 2 })).toMatchObject({ status: 2 });
    expect(await root.data('PUT', '/api/channel/', { id, priority: 7 })).toMatchObject({ priority: 7, status: 2 });
    const echoed = { ...made, groups: ['default'], name: 'main 2', status: 1 };
    expect(await root.data('PUT', '/api/channel/', echoed)).toMatchObject({ name: 'main 2', status: 1, key: '' });
    upstream.behave(() => ({ status: 401, body: '{"error":{"message":"no","type":"invalid_request_error"}}' }));
    const failed = await root.call('GET', `/api/channel/test/${id}?model=gpt-4o`);
    expect(failed.json).toMatchObject({ success: false, modelName: 'gpt-4o' });
    expect(failed.json['time']).toBeTypeOf('number');
    await root.data('DELETE', `/api/channel/${id}/`);
    expect(await root.data('GET', '/api/channel/?p=0')).toEqual([]);
  });

  test('API-02 lists tolerate empty and unknown filters, and texts are never null', async () => {
    const none = 'type=0&username=&token_name=&model_name=&start_timestamp=0&end_timestamp=1893456000&channel=';
    expect(Array.isArray(await root.data('GET', `/api/log/?p=0&page_size=10&${none}`))).toBe(true);
    expect(await root.data('GET', `/api/log/stat?${none}`)).toMatchObject({ quota: 0 });
    expect(await root.data('GET', '/api/channel/?p=0&page_size=10&id_sort=false')).toEqual([]);
    expect(await root.data('GET', '/api/user/dashboard')).toEqual([]);
    for (const path of ['/api/notice', '/api/about', '/api/home_page_content']) {
      expect(await root.data('GET', path), path).toBe('');
    }
    const status = await root.data('GET', '/api/status');
    expect(status).toMatchObject({ version: 'v0.0.0', quota_per_unit: 500_000, display_in_currency: true });
  });
});
