import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { addCaller, holdFor, logFor, settleFor, type Caller } from '../../../test/database/accounts.ts';
import {
  createTestStorage,
  openTestDatabase,
  testDatabaseKind,
  type TestStorage,
} from '../../../test/database/database.ts';
import { startFaultProxy } from '../../../test/faults/fault-proxy.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../database.ts';
import { verifyLedger } from '../ledger/verify.ts';

const expectAgreement = async (db: Database) => {
  expect((await verifyLedger(db)).findings).toEqual([]);
};

const onSqlite = () => {
  test('a full disk refuses new holds and other writes, and settlements wait until there is space', async () => {
    const db = await openTestDatabase();
    const caller = await addCaller(db, 1e9);
    await db.post(holdFor(caller, 'running', 100));
    const limitPages = (pages: number) =>
      db.write.transaction().execute((trx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(trx));
    await limitPages(1);
    const fill = async () => {
      for (let index = 0; index < 1000; index += 1) {
        const row = { key: `fill${index}`, value: 'x'.repeat(2000), version: 1 };
        await db.write.insertInto('options').values(row).execute();
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'storage_full' });
    const log = { ...logFor(caller, 'running', 60), detail: 'x'.repeat(20_000) };
    let waits = true;
    const settled = db.post({ ...settleFor(caller, 'running', 60), log }).finally(() => (waits = false));
    const credit = { kind: 'credit', opKey: 'more', entry: 'grant', actorId: 0, at: 1, log } as const;
    const credited = db.post({ ...credit, userId: caller.userId, amount: 5, reason: '' });
    await expect(credited).rejects.toMatchObject({ code: 'storage_full' });
    const user = db.read.selectFrom('users').select(['held', 'used']).where('id', '=', caller.userId);
    expect(await user.executeTakeFirst()).toEqual({ held: 100, used: 0 });
    expect(waits).toBe(true);
    await limitPages(1_000_000);
    expect(await settled).toMatchObject({ outcome: 'done', charged: 60 });
    await expectAgreement(db);
    await db.close();
  });

  test('a write waits for another process that holds the lock for a moment', async () => {
    const db = await openTestDatabase();
    const caller = await addCaller(db, 100);
    const other = new DatabaseSync(join(db.dataDir, 'weir.db'), { timeout: 10_000 });
    other.exec('begin immediate');
    let isPosted = false;
    const posted = db.post(settleFor(caller, 'waits', 10)).finally(() => (isPosted = true));
    // Readers do not wait for the lock.
    for (let count = 0; count < 50; count += 1) await db.read.selectFrom('users').select('id').execute();
    expect(isPosted).toBe(false);
    other.exec('commit');
    expect((await posted).outcome).toBe('done');
    other.close();
    await db.close();
  });

  test('a transaction that is left idle gives the writer back', async () => {
    const db = await openTestDatabase();
    const trx = await db.write.startTransaction().execute();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await trx.insertInto('options').values({ key: 'idle', value: '', version: 1 }).execute();
    const waiting = db.write.insertInto('options').values({ key: 'next', value: '', version: 1 }).execute();
    vi.advanceTimersByTime(6000);
    vi.useRealTimers();
    await waiting;
    await expect(trx.commit().execute()).rejects.toThrow('rolled back after 5000 ms');
    const keys = await db.read.selectFrom('options').select('key').execute();
    expect(keys).toEqual([{ key: 'next' }]);
    await db.close();
  });
};

/** The test database behind a proxy. */
const behindProxy = async (storage: TestStorage) => {
  const url = new URL(storage.databaseUrl ?? '');
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  url.hostname = '127.0.0.1';
  return { proxy, databaseUrl: url.href };
};

const onPostgres = () => {
  test.each([
    ['a transaction', 'commit', false],
    ['one statement', 'at once ', true],
  ])(
    'N5 a commit whose answer is lost is tried again, and done exactly once: %s',
    async (_way, message, knowsHolds) => {
      const storage = await createTestStorage();
      const { proxy, databaseUrl } = await behindProxy(storage);
      const db = await openDatabase({ ...storage, databaseUrl });
      const caller = await addCaller(db, 100_000, 100_000);
      proxy.swallowAnswerTo(message, 5);
      const known = (held: number) => (knowsHolds ? { held } : {});
      for (let index = 0; index < 8; index += 1) {
        const extend = { kind: 'extend', ...caller, requestId: `lost${index}`, amount: 55, ...known(50) } as const;
        expect((await db.post(holdFor(caller, `lost${index}`, 50))).outcome).toMatch(/done|repeated/);
        expect((await db.post(extend)).outcome).toMatch(/done|repeated/);
        const settlement = { ...settleFor(caller, `lost${index}`, 20), ...known(55) };
        if (index % 2 === 0) expect(await db.post(settlement)).toMatchObject({ charged: 20 });
      }
      expect(proxy.swallowed).toBe(5);
      const user = await db.read.selectFrom('users').select(['held', 'used']).where('id', '=', caller.userId).execute();
      expect(user).toEqual([{ held: 4 * 55, used: 80 }]);
      await expectAgreement(db);
      await db.close();
      await proxy.close();
      await storage.remove();
    },
  );

  test('connections that are ended by the server cost no posting and repeat none', async () => {
    const storage = await createTestStorage();
    const db = await openDatabase(storage);
    const caller = await addCaller(db, 100_000, 100_000);
    const admin = new Client({ connectionString: storage.databaseUrl });
    await admin.connect();
    const outcomes: string[] = [];
    const storm = Promise.all(
      Array.from({ length: 20 }, async (_, line) => {
        for (let index = line; index < 400; index += 20) {
          await db.post(holdFor(caller, `ended${index}`, 10));
          outcomes.push((await db.post(settleFor(caller, `ended${index}`, 5))).outcome);
        }
      }),
    );
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'weir main' and datname = current_database()";
    for (let round = 0; round < 6; round += 1) {
      await admin.query(end);
      const finished = outcomes.length;
      await expect.poll(() => outcomes.length).toBeGreaterThan(finished);
    }
    await storm;
    expect(outcomes).toEqual(Array.from({ length: 400 }, () => 'done'));
    const user = await db.read.selectFrom('users').select(['held', 'used']).where('id', '=', caller.userId).execute();
    expect(user).toEqual([{ held: 0, used: 2000 }]);
    await expectAgreement(db);
    await admin.end();
    await db.close();
    await storage.remove();
  });

  test('a connection that breaks during any statement is reported like one that cannot be opened', async () => {
    const storage = await createTestStorage();
    const { proxy, databaseUrl } = await behindProxy(storage);
    const db = await openDatabase({ ...storage, databaseUrl });
    for (const text of ['one', 'two']) {
      proxy.swallowAnswerTo(`'${text}'`, 1);
      const answer = sql`select ${sql.lit(text)}`.execute(db.write);
      await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(sql`select nothing`.execute(db.write)).rejects.toMatchObject({ code: '42703' });
    await db.close();
    await proxy.close();
    await storage.remove();
  });

  test('while the server is away new holds are refused soon and settlements wait for it', async () => {
    const storage = await createTestStorage();
    const { proxy, databaseUrl } = await behindProxy(storage);
    const db = await openDatabase({ ...storage, databaseUrl });
    const caller = await addCaller(db, 1000);
    await db.post(holdFor(caller, 'running', 100));
    proxy.refuse();
    const settled = db.post(settleFor(caller, 'running', 60));
    await expect(db.post(holdFor(caller, 'new', 100))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(db.read.selectFrom('users').selectAll().execute()).rejects.toMatchObject({ code: 'unavailable' });
    proxy.allow();
    expect(await settled).toMatchObject({ outcome: 'done', charged: 60 });
    expect((await db.post(holdFor(caller, 'again', 100))).outcome).toBe('done');
    await expectAgreement(db);
    await db.close();
    await proxy.close();
    await storage.remove();
  });

  test('a node whose name another process took over moves no more money', async () => {
    const storage = await createTestStorage();
    const elsewhere = await createTestStorage();
    const { proxy, databaseUrl } = await behindProxy(storage);
    const fatal: Error[] = [];
    const old = await openDatabase({ ...storage, databaseUrl, onFatal: (error) => fatal.push(error) });
    const caller = await addCaller(old, 1000);
    await old.post(holdFor(caller, 'open', 100));
    proxy.refuse();
    const late = old.post(settleFor(caller, 'open', 60)).catch((error: unknown) => error);
    const young = await openDatabase({ dataDir: elsewhere.dataDir, databaseUrl: storage.databaseUrl });
    expect(await young.read.selectFrom('holds').selectAll().execute()).toEqual([]);
    await young.close();
    proxy.allow();
    await vi.waitFor(
      () => expect(fatal.map((error) => error.message)).toEqual(['Another process has started as node main']),
      {
        timeout: 20_000,
      },
    );
    expect(await late).toMatchObject({ code: 'unavailable' });
    await old.close();
    await proxy.close();
    await storage.remove();
    await elsewhere.remove();
  });

  test('two nodes with 1,000 holds on a balance for ten make exactly ten', async () => {
    const storages = [await createTestStorage(), await createTestStorage()];
    const databaseUrl = storages[0]?.databaseUrl;
    const nodes = await Promise.all(
      storages.map(({ dataDir }, index) => openDatabase({ dataDir, databaseUrl, nodeName: `node${index}` })),
    );
    const [first] = nodes;
    if (first === undefined) throw new Error('no node');
    const caller = await addCaller(first, 105, 105);
    const results = await Promise.all(
      nodes.flatMap((node, index) =>
        Array.from({ length: 500 }, (_, hold) => node.post(holdFor(caller, `node${index}hold${hold}`, 10))),
      ),
    );
    expect(results.filter((result) => result.outcome === 'done').length).toBe(10);
    expect(results.filter((result) => result.outcome === 'refused').length).toBe(990);
    await expectAgreement(first);
    for (const node of nodes) await node.close();
    for (const storage of storages) await storage.remove();
  });

  test.each([
    ['reading', {}],
    ['writing at once, or with the locks of all first', { held: 10 }],
  ])('N5 two nodes that meet on the same accounts in any order surface no deadlock, %s', async (_way, known) => {
    const storages = [await createTestStorage(), await createTestStorage()];
    const databaseUrl = storages[0]?.databaseUrl;
    const nodes = await Promise.all(
      storages.map(({ dataDir }, index) => openDatabase({ dataDir, databaseUrl, nodeName: `node${index}` })),
    );
    const [first] = nodes;
    if (first === undefined) throw new Error('no node');
    const callers: Caller[] = [];
    for (let index = 0; index < 6; index += 1) callers.push(await addCaller(first, 1e6, 1e6));
    const results = await Promise.all(
      nodes.flatMap((node, side) =>
        callers.flatMap((_, index) =>
          Array.from({ length: 40 }, async (__, turn) => {
            const caller = callers[side === 0 ? index : callers.length - 1 - index];
            if (caller === undefined) throw new Error('no caller');
            const requestId = `node${side}caller${index}turn${turn}`;
            await node.post(holdFor(caller, requestId, 10));
            return node.post({ ...settleFor(caller, requestId, 7), ...known });
          }),
        ),
      ),
    );
    expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(['done']));
    const users = await first.read.selectFrom('users').select(['available', 'held', 'used', 'request_count']).execute();
    const used = 2 * 40 * 7;
    expect(users).toEqual(callers.map(() => ({ available: 1e6 - used, held: 0, used, request_count: 2 * 40 })));
    await expectAgreement(first);
    for (const node of nodes) await node.close();
    for (const storage of storages) await storage.remove();
  });

  test('M3 a transaction that a deadlock ended is done once more, and all of it', async () => {
    const db = await openTestDatabase();
    const ids = [(await addCaller(db, 10)).userId, (await addCaller(db, 10)).userId] as const;
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const runs = [0, 0];
    /** Takes both rows, in the other order than the other one, and the second once the other one has its first. */
    const rename = (index: 0 | 1) =>
      db.write.transaction().execute(async (trx) => {
        runs[index] = (runs[index] ?? 0) + 1;
        const set = (id: number) =>
          trx
            .updateTable('users')
            .set({ display_name: `by ${index}` })
            .where('id', '=', id)
            .execute();
        await set(ids[index]);
        if (runs[index] === 1) {
          locked[index]?.resolve();
          await Promise.all(locked.map(({ promise }) => promise));
        }
        await set(ids[1 - index] ?? 0);
        return index;
      });
    expect(await Promise.all([rename(0), rename(1)])).toEqual([0, 1]);
    expect(runs.reduce((sum, count) => sum + count)).toBe(3);
    const names = await db.read.selectFrom('users').select('display_name').where('id', 'in', ids).execute();
    expect(new Set(names.map((row) => row.display_name)).size).toBe(1);
    await db.close();
  });
};

if (testDatabaseKind === 'sqlite') onSqlite();
else onPostgres();
