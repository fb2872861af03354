import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import type { TestUser } from '../../../test/app/app.ts';

let relay: RelayApp;
let owner: TestUser;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  owner = await relay.app.addUser('owner');
  await relay.root.data('PUT', '/api/user/', { id: owner.id, quota: 1_000_000 });
});
afterAll(() => relay.close());

let rolls = 0;
const nextId = () => `roll-${String((rolls += 1)).padStart(16, '0')}`;
const tokenIn = (data: unknown) => v.parse(tokenSchema, data);
const create = async () => tokenIn(await owner.data('POST', '/api/token/', { name: 'ci', remain_quota: 10_000 }));
const roll = async (id: number, overlap: number, rollId = nextId()) =>
  tokenIn(await owner.data('POST', '/api/token/roll', { id, roll_id: rollId, overlap_seconds: overlap }));
const ask = (key: string) => relay.ask({ key: `sk-${key}` });
const replaced = (id: number) => `this key was replaced and works no longer, use the new key of token ci (#${id})`;

test('both keys of a rolled token work and spend its quota until the overlap ends; then the old one is refused, cached or not', async () => {
  const { id, key: old } = await create();
  expect((await ask(old)).status).toBe(200);
  const rolled = await roll(id, 60);
  expect(rolled.key).not.toBe(old);
  expect(rolled.overlap_until).toBe(Math.floor(relay.app.clock.now() / 1000) + 60);
  for (const key of [old, rolled.key, old]) expect((await ask(key)).status).toBe(200);
  await relay.settled();
  const { used } = await relay.tokenBalance(id);
  expect(await owner.data('GET', `/api/token/${id}`)).toMatchObject({ used_quota: used, remain_quota: 10_000 - used });
  relay.app.clock.advance(61_000);
  const refused = await ask(old);
  expect(refused.status).toBe(401);
  expect(refused.body.toString()).toContain(replaced(id));
  expect((await ask(rolled.key)).status).toBe(200);
  expect(await relay.disagreements()).toEqual([]);
});

test('without an overlap, and where it is ended early, the old key is refused at once', async () => {
  const { id, key: first } = await create();
  const { key: second } = await roll(id, 0);
  expect((await ask(first)).body.toString()).toContain(replaced(id));
  const { key: third } = await roll(id, 3600);
  expect((await ask(second)).status).toBe(200);
  await owner.data('POST', '/api/token/roll/end', { id });
  expect((await ask(second)).body.toString()).toContain(replaced(id));
  expect((await ask(first)).body.toString()).toContain(replaced(id));
  expect((await ask(third)).status).toBe(200);
  expect(await owner.refused('POST', '/api/token/roll/end', { id })).toMatch(/No replaced key/);
});

test('a retry gets the same key; a retry after a later roll or too late is refused; one roll at a time while an overlap runs', async () => {
  const { id } = await create();
  const rollId = nextId();
  const made = await Promise.all(Array.from({ length: 5 }, () => roll(id, 600, rollId)));
  expect(new Set(made.map(({ key }) => key)).size).toBe(1);
  const again = { id, roll_id: nextId(), overlap_seconds: 5 };
  expect(await owner.refused('POST', '/api/token/roll', again)).toMatch(/still works/);
  expect(await roll(id, 600, rollId)).toMatchObject({ key: made[0]?.key });
  relay.app.clock.advance(601_000);
  const later = await roll(id, 0, again.roll_id);
  expect(later.key).not.toBe(made[0]?.key);
  expect(await owner.refused('POST', '/api/token/roll', { id, roll_id: rollId })).toMatch(/no longer shown/);
  relay.app.clock.advance(901_000);
  expect(await owner.refused('POST', '/api/token/roll', again)).toMatch(/no longer shown/);
  const audit = await relay.app.db.read
    .selectFrom('audit')
    .select('detail')
    .where('subject', '=', `token ${id}`)
    .where('action', '=', 'roll_token')
    .execute();
  expect(audit.map(({ detail }) => detail)).toEqual(['600 s', '0 s']);
});

test('bad rolls, and those of tokens of others, are refused', async () => {
  const { id } = await create();
  const other = await relay.app.addUser('other');
  const rollId = nextId();
  const refused = (body: object) => owner.refused('POST', '/api/token/roll', { id, roll_id: rollId, ...body });
  expect(await refused({ roll_id: 'short' })).toMatch(/roll_id/);
  expect(await refused({ overlap_seconds: -1 })).toMatch(/overlap_seconds/);
  expect(await refused({ overlap_seconds: 2_592_001 })).toMatch(/overlap_seconds/);
  expect(await other.refused('POST', '/api/token/roll', { id, roll_id: rollId })).toBe('Record not found');
  expect(await other.refused('POST', '/api/token/roll/end', { id })).toBe('Record not found');
  await owner.data('DELETE', `/api/token/${id}`);
  expect(await refused({})).toBe('Record not found');
});
