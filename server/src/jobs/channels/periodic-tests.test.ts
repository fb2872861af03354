import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database/database.ts';
import { buildRelayApp, until } from '../../../test/app/relay-app.ts';
import { tryAcquireLease } from '../../store/nodes/try-acquire-lease.ts';

test('RELAY-06 tests by the clock enable what the system disabled, never what a person did', async () => {
  const relay = await buildRelayApp({ channelTestMinutes: 0.002 });
  await relay.setOption('AutomaticEnableChannelEnabled', 'true');
  const byHand = await relay.addChannel();
  const bySystem = await relay.addChannel();
  const row = (id: number) =>
    relay.app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await relay.changeChannel(byHand, { status: 2 });
  await relay.app.db.write.updateTable('channels').set({ status: 3 }).where('id', '=', bySystem).execute();
  await until(async () => (await row(bySystem)).status === 1);
  const tested = relay.upstream.journal().length;
  await until(() => relay.upstream.journal().length > tested + 4);
  expect((await row(byHand)).test_time).toBeGreaterThan(0);
  expect(await row(byHand)).toMatchObject({ status: 2 });
  await relay.close();
});

test('of several nodes one takes a turn, and one the next', async () => {
  const db = await openTestDatabase();
  const claim = (now: number) => tryAcquireLease(db, { name: 'work', now, notAfter: now - 570 });
  const first = await Promise.all([1, 2, 3].map(() => claim(1_800_000_000)));
  expect(first.filter((taken) => taken)).toHaveLength(1);
  expect(await claim(1_800_000_569)).toBe(false);
  expect(await claim(1_800_000_570)).toBe(true);
  expect(await claim(1_800_000_571)).toBe(false);
  await db.close();
});
