import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { addCaller, addChannel, holdFor, settleFor } from '../../../test/database/accounts.ts';
import { createTestStorage, openTestDatabase, testDatabaseKind } from '../../../test/database/database.ts';
import { startFaultProxy } from '../../../test/faults/fault-proxy.ts';
import { openChanges, type Change } from './changes.ts';

const openFeeds = async (count: number) => {
  const storage = await createTestStorage();
  const feeds = await Promise.all(
    Array.from({ length: count }, () => openChanges({ databaseUrl: storage.databaseUrl, retryMs: 20 })),
  );
  const close = async () => {
    await Promise.all(feeds.map((feed) => feed.close()));
    await storage.remove();
  };
  return { feeds, databaseUrl: storage.databaseUrl, close };
};

test('a change reaches the subscribers of its topic in the same process at once', async () => {
  const { feeds, close } = await openFeeds(1);
  const received: Change[] = [];
  const end = feeds[0]?.subscribe('token', (change) => received.push(change));
  feeds[0]?.publish({ topic: 'token', id: 7 });
  feeds[0]?.publish({ topic: 'user', id: 8 });
  expect(received).toEqual([{ topic: 'token', id: 7 }]);
  end?.();
  feeds[0]?.publish({ topic: 'token', id: 9 });
  expect(received.length).toBe(1);
  await close();
});

if (testDatabaseKind === 'postgres') {
  test('a change reaches the other nodes, and its own node once', async () => {
    const { feeds, close } = await openFeeds(3);
    const received = feeds.map(() => new Array<Change>());
    for (const [index, feed] of feeds.entries()) {
      feed.subscribe('option', (change) => received[index]?.push(change));
      feed.subscribe('channel', (change) => received[index]?.push(change));
    }
    feeds[0]?.publish({ topic: 'option', id: 'Theme with spaces / ä' });
    feeds[0]?.publish({ topic: 'channel', id: 5 });
    const expected = [
      { topic: 'option', id: 'Theme with spaces / ä' },
      { topic: 'channel', id: 5 },
    ];
    await vi.waitFor(() => expect(received).toEqual([expected, expected, expected]));
    await close();
  });

  test('a node whose connection was lost reads everything anew, and gets changes again', async () => {
    const { feeds, databaseUrl, close } = await openFeeds(2);
    const received: Change[] = [];
    feeds[1]?.subscribe('user', (change) => received.push(change));
    const admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await admin.end();
    await vi.waitFor(() => expect(received).toContainEqual({ topic: 'user', id: 0 }), { timeout: 10_000 });
    feeds[0]?.publish({ topic: 'user', id: 3 });
    await vi.waitFor(() => expect(received).toContainEqual({ topic: 'user', id: 3 }), { timeout: 10_000 });
    await close();
  });

  test('M6 a row that changes notifies every node in its own transaction; balances and undone changes notify none', async () => {
    const db = await openTestDatabase();
    const caller = await addCaller(db, 1000, 500);
    const feed = await openChanges({ databaseUrl: db.databaseUrl });
    const received: Change[] = [];
    for (const topic of ['user', 'token', 'channel', 'option'] as const) {
      feed.subscribe(topic, (change) => received.push(change));
    }
    const { userId, tokenId, channelId } = caller;
    await db.post(holdFor(caller, 'call', 100));
    await db.post(settleFor(caller, 'call', 100));
    const exhausting = await addCaller(db, 1000, 10);
    await db.post(holdFor(exhausting, 'last', 10));
    await db.post(settleFor(exhausting, 'last', 10));
    const undone = db.write.transaction().execute(async (trx) => {
      await trx.updateTable('tokens').set({ status: 2 }).where('id', '=', tokenId).execute();
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await db.write.updateTable('tokens').set({ status: 2 }).where('id', '=', tokenId).execute();
    await db.write.updateTable('users').set({ group: 'vip' }).where('id', '=', userId).execute();
    await db.write.updateTable('channels').set({ models: 'one' }).where('id', '=', channelId).execute();
    const added = await addChannel(db);
    await db.write.insertInto('options').values({ key: 'Notice', value: 'text', version: 1 }).execute();
    await vi.waitFor(() =>
      expect(received).toEqual([
        { topic: 'channel', id: exhausting.channelId },
        { topic: 'token', id: exhausting.tokenId },
        { topic: 'token', id: tokenId },
        { topic: 'user', id: userId },
        { topic: 'channel', id: channelId },
        { topic: 'channel', id: added },
        { topic: 'option', id: 0 },
      ]),
    );
    await feed.close();
    await db.close();
  });

  test('M6 the columns that a statement has to set for a notice are those whose change is notified', async () => {
    const db = await openTestDatabase();
    const { rows } = await sql<{ text: string }>`select pg_get_triggerdef(oid) as text from pg_trigger
      where tgname like '%_notify_update'`.execute(db.write);
    expect(rows).toHaveLength(3);
    for (const { text } of rows) {
      const [, list = '', condition = ''] = /UPDATE OF (.+) ON .* WHEN (.+) EXECUTE/.exec(text) ?? [];
      const compared = Array.from(condition.matchAll(/old\.(\S+) IS DISTINCT FROM/g), ([, name]) => name);
      expect(compared).toEqual(list.split(', '));
    }
    await db.close();
  });

  test('N2 a connection that falls silent without an end: rows in memory are not relied on, and changes come again', async () => {
    const place = await createTestStorage();
    const url = new URL(place.databaseUrl ?? '');
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const feed = await openChanges({ databaseUrl: url.href, retryMs: 20, silenceMs: 200 });
    const other = await openChanges({ databaseUrl: place.databaseUrl });
    const received: Change[] = [];
    feed.subscribe('token', (change) => received.push(change));
    proxy.freeze();
    other.publish({ topic: 'token', id: 4 });
    const anything = { topic: 'token', id: 0 };
    await vi.waitFor(() => expect(received.filter(({ id }) => id === 0).length).toBeGreaterThan(2), {
      timeout: 60_000,
    });
    expect(received).not.toContainEqual({ topic: 'token', id: 4 });
    proxy.allow();
    await expect
      .poll(() => {
        other.publish({ topic: 'token', id: 5 });
        return received;
      })
      .toContainEqual({ topic: 'token', id: 5 });
    expect(received[0]).toEqual(anything);
    await feed.close();
    await other.close();
    await proxy.close();
    await place.remove();
  });
}
