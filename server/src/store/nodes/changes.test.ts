import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { createTestStorage, testDatabaseKind } from '../../../test/database/database.ts';
import { openChanges, type Change } from './changes.ts';

const openFeeds = async (count: number) => {
  const place = await createTestStorage();
  const feeds = await Promise.all(
    Array.from({ length: count }, () => openChanges({ databaseUrl: place.databaseUrl, retryMs: 20 })),
  );
  const close = async () => {
    await Promise.all(feeds.map((feed) => feed.close()));
    await place.remove();
  };
  return { feeds, databaseUrl: place.databaseUrl, close };
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
}
