import { Client } from 'pg';
import { expect, test } from 'vitest';
import { addCaller, settleFor, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, testDatabaseKind, type TestDatabase } from '../../../test/database/database.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { findChannel } from './channels.ts';
import { foldUsesByNode } from './used-quota.ts';

const charge = (db: TestDatabase, caller: Caller, requestId: string, amount: number) =>
  db.post({ ...settleFor(caller, requestId, amount), unheld: true });

test('N5 the use of a channel is exact while the sums of the nodes are added to its row', async () => {
  const db = await openTestDatabase();
  const caller = await addCaller(db, 10_000, 10_000);
  const { channelId } = caller;
  const used = async () => (await findChannel(db.read, channelId))?.used;
  await charge(db, caller, 'first', 30);
  expect(await used()).toBe(30);
  // What a node charged that is gone; on SQLite, before the books were moved there.
  await charge(db, caller, 'second', 12);
  await db.write.deleteFrom('channel_uses').execute();
  await db.write.updateTable('channels').set({ used: 30 }).where('id', '=', channelId).execute();
  await db.write.insertInto('channel_uses').values({ channel_id: channelId, node: 'gone', used: 12 }).execute();
  expect(await used()).toBe(42);
  const charges = Array.from({ length: 200 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index % 40));
    return charge(db, caller, `beside ${index}`, 1);
  });
  for (let count = 0; count < 10; count += 1) await Promise.all([foldUsesByNode(db), foldUsesByNode(db)]);
  await Promise.all(charges);
  expect(await used()).toBe(242);
  await foldUsesByNode(db);
  expect(await db.read.selectFrom('channel_uses').selectAll().execute()).toEqual([]);
  expect(await used()).toBe(242);
  expect((await verifyLedger(db)).findings).toEqual([]);
  await db.close();
});

if (testDatabaseKind === 'postgres') {
  test('N5 a charge waits for no other node that charges through the same channel', async () => {
    const db = await openTestDatabase();
    const caller = await addCaller(db, 1000, 1000);
    await charge(db, caller, 'first', 30);
    const other = new Client({ connectionString: db.databaseUrl });
    await other.connect();
    await other.query('begin');
    await other.query('select from channels where id = $1 for update', [caller.channelId]);
    await other.query('insert into channel_uses (channel_id, node, used) values ($1, $2, 7)', [
      caller.channelId,
      'another',
    ]);
    // The clean-up passes by, and a charge is neither stopped where it is written at once nor where it is read first.
    await foldUsesByNode(db);
    expect(await db.read.selectFrom('channel_uses').select(['node', 'used']).execute()).toEqual([
      { node: db.identity.node, used: 30 },
    ]);
    expect(await charge(db, caller, 'second', 5)).toMatchObject({ outcome: 'done', charged: 5 });
    expect(await charge(db, caller, 'third', 2000)).toMatchObject({ charged: 965, unrecovered: 1035 });
    await other.query('commit');
    await other.end();
    expect((await findChannel(db.read, caller.channelId))?.used).toBe(1007);
    await db.close();
  });
}
