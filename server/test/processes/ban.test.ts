import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient, signInTo, type ManagementClient } from '../clients/management-client.ts';
import { startNodes, type Nodes } from './nodes.ts';
import { rootPassword } from './server-process.ts';

let nodes: Nodes;
let root: ManagementClient;
beforeAll(async () => {
  nodes = await startNodes(2);
  root = await signInTo(nodes.url(0), 'root', rootPassword);
});
afterAll(() => nodes.close());

const password = 'correct horse battery staple';
/** A node that administrators do not use; on SQLite there is only one node. */
const elsewhere = () => nodes.url(1);

/** A user with every kind of credential. */
const addPerson = async (username: string) => {
  await root.call('POST', '/api/user/', { username, password });
  const session = await signInTo(elsewhere(), username, password);
  const accessToken = await session.call<string>('GET', '/api/user/token');
  const made = await session.call('POST', '/api/token/', { name: 'key', unlimited_quota: true });
  const { key } = v.parse(tokenSchema, made);
  const withToken = () => openClient(elsewhere(), { authorization: accessToken }).call('GET', '/api/user/self');
  const relay = async () =>
    (await fetch(`${elsewhere()}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status;
  /** The other node drops a cached key a moment later, when it is notified. */
  const untilRelay = async (status: number) => {
    await expect.poll(relay).toBe(status);
  };
  return { session, withToken, relay, untilRelay };
};

const act = (username: string, action: string) => root.call('POST', '/api/user/manage', { username, action });

test('AUTH-08 a ban revokes all access at once, on every node; lifting it restores all but the old sessions', async () => {
  const { session, withToken, relay, untilRelay } = await addPerson('banned');
  await session.call('GET', '/api/user/self');
  expect(await relay()).toBe(200);
  await act('banned', 'disable');
  await expect(session.call('GET', '/api/user/self')).rejects.toThrow('401');
  await expect(withToken()).rejects.toThrow('200 User has been banned');
  await expect(signInTo(elsewhere(), 'banned', password)).rejects.toThrow('or user has been banned');
  await untilRelay(403);
  await act('banned', 'enable');
  expect(await withToken()).toMatchObject({ username: 'banned' });
  await expect(session.call('GET', '/api/user/self')).rejects.toThrow('401');
  await signInTo(elsewhere(), 'banned', password);
  await untilRelay(200);
});

test('a rolled key works on every node until its overlap is ended on one of them', async () => {
  const { session, relay, untilRelay } = await addPerson('rolled');
  expect(await relay()).toBe(200);
  const [token] = v.parse(v.array(tokenSchema), await session.call('GET', '/api/token/?p=0'));
  const id = token?.id ?? 0;
  const user = v.parse(v.object({ id: v.number() }), await session.call('GET', '/api/user/self'));
  const path = `/api/user/${user.id}/token/roll`;
  await root.call('POST', path, { id, roll_id: 'roll-over-several-nodes', overlap_seconds: 600 });
  expect(await relay()).toBe(200);
  await root.call('POST', `${path}/end`, { id });
  await untilRelay(401);
});

test('AUTH-08 USER-02 a deleted account loses all access at once, on every node', async () => {
  const { session, withToken, relay, untilRelay } = await addPerson('deleted');
  expect(await relay()).toBe(200);
  await act('deleted', 'delete');
  await expect(session.call('GET', '/api/user/self')).rejects.toThrow('401');
  await expect(withToken()).rejects.toThrow('Not permitted: access token invalid');
  await expect(signInTo(elsewhere(), 'deleted', password)).rejects.toThrow('wrong');
  await untilRelay(403);
});
