import { role } from '@weir/contract/roles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBillingServer, type BillingServer } from '../../../test/fakes/services/billing-server.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';

const path = '/api/channel/fetch_models';
const listed = { object: 'list', data: [{ id: 'gpt-b' }, { id: 'gpt-a' }, { id: 'gpt-b' }] };

let relay: RelayApp;
let server: BillingServer;
beforeAll(async () => {
  relay = await buildRelayApp();
  server = await startBillingServer({
    '/v1/models': { body: listed },
    '/openai/models': { body: listed },
    '/api/paas/v4/models': { body: [{ id: 'glm-4' }] },
    '/cohere/v1/models?page_size=1000': { body: { models: [{ name: 'command-r' }] } },
    '/odd/v1/models': { body: '{"data":"many"}' },
  });
});
afterAll(async () => {
  await server.close();
  await relay.close();
});

test.each([
  [1, '', ['gpt-a', 'gpt-b']],
  [1, '/v1', ['gpt-a', 'gpt-b']],
  [50, '/openai/', ['gpt-a', 'gpt-b']],
  [16, '/api/paas/v4', ['glm-4']],
  [35, '/cohere', ['command-r']],
])('C32 type %i at base URL %j lists the models of its provider', async (type, base, names) => {
  const body = { type, key: server.key, base_url: server.url + base };
  expect(await relay.root.data('POST', path, body)).toEqual(names);
});

test('C32 a provider without a list, an error and an unexpected answer are told apart, without the key', async () => {
  const refused = (body: object) => relay.root.refused('POST', path, { key: server.key, ...body });
  expect(await refused({ type: 38 })).toBe("This provider doesn't list its models. Enter their names");
  expect(await refused({ type: 3 })).toBe("This provider doesn't list its models. Enter their names");
  expect(await refused({ type: 8 })).toBe('The base URL is not a valid http or https address');
  const failed = 'Could not read the list of models: ';
  expect(await refused({ type: 1, base_url: `${server.url}/none` })).toBe(`${failed}status code: 404`);
  expect(await refused({ type: 1, base_url: `${server.url}/odd` })).toBe(
    `${failed}the response has an unexpected form`,
  );
  expect(await refused({ type: 1, base_url: server.url, key: '' })).toBe('Please fill in channel name and channel key');
  expect(relay.app.logged()).not.toContain(server.key);
});

test('C32 the stored key is used for an empty one, and administrators send it to no other server', async () => {
  const id = await relay.addChannel({ type: 1, base_url: server.url, key: server.key });
  const stored = { id, type: 1, key: '', base_url: server.url };
  expect(await relay.root.data('POST', path, stored)).toEqual(['gpt-a', 'gpt-b']);
  const admin = await relay.app.addUser('admin', role.admin);
  expect(await admin.data('POST', path, stored)).toEqual(['gpt-a', 'gpt-b']);
  const moved = { ...stored, base_url: `${server.url}/openai`, type: 50 };
  expect(await admin.refused('POST', path, moved)).toBe('Enter the key again when the type or base URL changes');
  expect(await relay.root.data('POST', path, moved)).toEqual(['gpt-a', 'gpt-b']);
  const user = await relay.app.addUser('user');
  expect(await user.refused('POST', path, stored)).toContain('insufficient permission');
  expect((await relay.app.visitor().call('POST', path, { body: stored })).status).toBe(401);
});
