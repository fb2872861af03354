import { listRetiringModels } from '@weir/contract/models';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, testPassword } from '../../../test/app/app.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';

const path = '/api/channel/retiring';

let relay: RelayApp;
beforeAll(async () => {
  relay = await buildRelayApp({ frozen: true });
});
afterAll(() => relay.close());

const retiring = async (caller: Caller = relay.root) =>
  v.parse(listRetiringModels.data, await caller.data('GET', path));
const moveTo = (day: string) => relay.app.clock.advance(Date.parse(day) - relay.app.clock.now());

test('models that end within 60 days or have ended, by the enabled channels that offer them, with what replaces them', async () => {
  moveTo('2026-11-24');
  const models = 'claude-sonnet-4-5,claude-opus-5-5,alias,own';
  const model_mapping = '{"alias":"claude-sonnet-4-5-20250929"}';
  const claude = await relay.addChannel({ name: 'Claude', type: 14, models, model_mapping });
  const openai = await relay.addChannel({ name: 'OpenAI', type: 1, models: 'gpt-image-1.5,gpt-5.1,gpt-5.5' });
  const off = await relay.addChannel({ name: 'Off', type: 14, models: 'claude-sonnet-4-5' });
  await relay.changeChannel(off, { status: 2 });
  const sonnet = { ends: '2026-11-30', replacement: 'claude-sonnet-5-5' };
  const image = { model: 'gpt-image-1.5', ends: '2026-12-01', replacement: 'gpt-image-2' };
  await expect
    .poll(() => retiring())
    .toEqual([
      {
        id: claude,
        name: 'Claude',
        models: [
          { model: 'alias', ...sonnet },
          { model: 'claude-sonnet-4-5', ...sonnet },
        ],
        more: 0,
      },
      { id: openai, name: 'OpenAI', models: [image], more: 0 },
    ]);
});

test('a channel that offers very many of them lists the first, and how many more there are', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `alias-${String(index).padStart(2, '0')}`);
  const id = await relay.addChannel({
    type: 14,
    models: names.join(','),
    model_mapping: JSON.stringify(Object.fromEntries(names.map((name) => [name, 'claude-sonnet-4-5']))),
  });
  await expect
    .poll(async () => (await retiring()).find((channel) => channel.id === id))
    .toMatchObject({ more: 20, models: { length: 50 } });
});

test('only administrators see them', async () => {
  const admin = await relay.app.addUser('admin', role.admin);
  expect(await admin.data('GET', path)).toHaveLength(3);
  const user = await relay.app.addUser('user');
  expect(await user.refused('GET', path)).toContain('insufficient permission');
  expect((await relay.app.visitor().call('GET', path)).status).toBe(401);
});

test('a model comes into the list 60 days before its end, by the clock', async () => {
  const modelsOn = async (day: string) => {
    moveTo(day);
    // The session ends meanwhile.
    const root = await relay.app.signIn('root', testPassword);
    return (await retiring(root)).find(({ name }) => name === 'OpenAI')?.models.map(({ model }) => model);
  };
  // gpt-5.1 ends on 2027-04-01.
  expect(await modelsOn('2027-01-30')).toEqual(['gpt-image-1.5']);
  expect(await modelsOn('2027-01-31')).toEqual(['gpt-image-1.5', 'gpt-5.1']);
});
