import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { addCaller, balanceOf, holdFor, settleFor, type Caller } from '../../../../test/database/accounts.ts';
import { openTestDatabase, testDatabaseKind, type TestDatabase } from '../../../../test/database/database.ts';
import type { Database } from '../../database.ts';
import { openDatabase } from '../../open-database.ts';
import { atOnceParts, atOnceStatement, isLocked, lockStatement, type AtOncePart } from './at-once-statement.ts';
import { planning } from './postgres-link.ts';
import { createRecentAccounts } from './recent-accounts.ts';

if (testDatabaseKind === 'postgres') {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase({ nodeName: 'one' });
  });
  afterAll(() => db.close());

  /** The last statement of the session that moves money. */
  const lastOf = async (node: string): Promise<string> => {
    const client = new Client({ connectionString: db.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and application_name = $1`,
      [`weir ${node}`],
    );
    await client.end();
    return rows[0]?.query ?? '';
  };
  const wasAtOnce = async (node = 'one') => (await lastOf(node)).startsWith('with "users given"');
  /** A session with a change that is not committed. */
  const startLock = async (change: string, values: readonly unknown[]): Promise<Client> => {
    const client = new Client({ connectionString: db.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(change, [...values]);
    return client;
  };
  const lockWaits = async (client: Client): Promise<number> => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount ?? 0;
  };
  const charge = (caller: Caller, requestId: string, amount: number) =>
    db.post({ ...settleFor(caller, requestId, amount), unheld: true });

  test('N5 requests of an account that has plenty are one statement each, with the balances after it', async () => {
    const caller = await addCaller(db, 1000, 500);
    expect(await charge(caller, 'alone', 30)).toEqual({
      outcome: 'done',
      charged: 30,
      unrecovered: 0,
      user: { available: 970, held: 0, used: 30 },
      token: { available: 470, held: 0, used: 30 },
    });
    expect(await wasAtOnce()).toBe(true);
    await db.post(holdFor(caller, 'held', 100));
    expect(await wasAtOnce()).toBe(true);
    await db.post({ kind: 'extend', ...caller, requestId: 'held', held: 100, amount: 150 });
    expect(await wasAtOnce()).toBe(true);
    const settled = await db.post({ ...settleFor(caller, 'held', 120), held: 150 });
    expect(await wasAtOnce()).toBe(true);
    expect(settled).toMatchObject({ charged: 120, user: { available: 850, held: 0, used: 150 } });
    expect(await db.read.selectFrom('holds').selectAll().execute()).toEqual([]);
  });

  test('N5 a hold that is not what its caller knows is read, and ends as it is stored', async () => {
    const caller = await addCaller(db, 1000, 500);
    await db.post(holdFor(caller, 'unlike', 100));
    expect(await db.post({ kind: 'release', ...caller, requestId: 'unlike', held: 90 })).toMatchObject({
      outcome: 'done',
      user: { available: 1000, held: 0 },
    });
    expect(await wasAtOnce()).toBe(false);
    await charge(caller, 'soon after', 10);
    expect(await wasAtOnce()).toBe(false);
  });

  test('N5 an account or a key with too little is read, for the next second too; the others are not', async () => {
    const short = await addCaller(db, 100, 1000);
    expect(await charge(short, 'too much', 120)).toMatchObject({ charged: 100, unrecovered: 20 });
    expect(await wasAtOnce()).toBe(false);
    await charge(short, 'nothing left', 0);
    expect(await wasAtOnce()).toBe(false);
    const other = await addCaller(db, 1000, 100);
    await charge(other, 'enough', 99);
    expect(await wasAtOnce()).toBe(true);
    await charge(other, 'the last one', 1);
    expect(await wasAtOnce()).toBe(false);
    const { status } = await db.read
      .selectFrom('tokens')
      .select('status')
      .where('id', '=', other.tokenId)
      .executeTakeFirstOrThrow();
    expect(status).toBe(4);
  });

  test('N5 balances are read behind the other postings of a batch, and wait for no lock', async () => {
    const caller = await addCaller(db, 1000, 500);
    const other = await addCaller(db, 70, 7);
    const { userId, tokenId } = caller;
    const look = (ids: { readonly userId: number; readonly tokenId: number }) => db.post({ kind: 'look', ...ids });
    const wasLook = async () => (await lastOf('one')).startsWith(`select 'users' as kind`);
    // Together, they are one batch.
    const [before, , after, seen] = await Promise.all([
      look({ userId, tokenId: 0 }),
      charge(caller, 'looked at', 30),
      look(caller),
      look(other),
    ]);
    expect(await wasLook()).toBe(true);
    const user = { available: 970, held: 0, used: 30 };
    const done = { outcome: 'done', charged: 0, unrecovered: 0 };
    expect(before).toEqual({ ...done, user });
    expect(after).toEqual({ ...done, user, token: { available: 470, held: 0, used: 30 } });
    expect(seen).toMatchObject({ user: { available: 70 }, token: { available: 7 } });

    const client = await startLock('update users set available = 1 where id = $1', [userId]);
    expect(await look(caller)).toEqual(after);
    expect(await wasLook()).toBe(true);
    await client.query('rollback');
    await client.end();
    expect(await look({ userId: 0, tokenId })).toEqual({ ...done, token: { available: 470, held: 0, used: 30 } });
    expect(await look({ userId: 987_654, tokenId: 0 })).toEqual(done);
  });

  test('N5 a batch that waited for a row is compared with the row as it is after the wait', async () => {
    const open = (nodeName: string) =>
      openDatabase({ dataDir: join(db.dataDir, nodeName), databaseUrl: db.databaseUrl, nodeName });
    for (const isShared of [false, true]) {
      const name = isShared ? 'shared' : 'alone';
      const [node, another] = [await open(name), await open(`beside ${name}`)];
      const caller = await addCaller(db, 1000, 10_000);
      const post = (on: Database, requestId: string, amount: number) =>
        on.post({ ...settleFor(caller, `${name} ${requestId}`, amount), unheld: true });
      await post(node, 'first', 0);
      if (isShared) {
        await post(another, 'second', 100);
        await post(node, 'third', 0);
      }
      const change = 'update users set used = used + available - 50, available = 50 where id = $1';
      const client = await startLock(change, [caller.userId]);
      const charged = post(node, 'last', 60);
      await expect.poll(() => lockWaits(client)).toBe(1);
      await client.query('commit');
      await client.end();
      expect(await charged).toMatchObject({ outcome: 'done', charged: 50, unrecovered: 10, user: { available: 0 } });
      await node.close();
      await another.close();
    }
  });

  test('N5 a charge without a key is one statement too', async () => {
    const caller = await addCaller(db, 1000);
    expect(await charge({ ...caller, tokenId: 0 }, 'of no key', 30)).toMatchObject({ charged: 30 });
    expect(await wasAtOnce()).toBe(true);
  });

  test('N5 of an account that two nodes charge, a node locks the rows first, and waits for no answer with them', async () => {
    const dataDir = join(db.dataDir, 'two');
    const second = await openDatabase({ dataDir, databaseUrl: db.databaseUrl, nodeName: 'two' });
    const caller = await addCaller(db, 10_000, 10_000);
    const wasLocked = async () => (await lastOf('one')) === 'commit';
    await charge(caller, 'one', 10);
    await second.post({ ...settleFor(caller, 'two', 20), unheld: true });
    expect(await wasAtOnce('two')).toBe(true);
    await charge(caller, 'three', 10);
    expect(await wasLocked()).toBe(false);
    const last = await charge(caller, 'four', 10);
    expect(await wasLocked()).toBe(true);
    expect(last).toMatchObject({ charged: 10, user: { available: 9950, held: 0, used: 50 } });
    await second.close();
    expect(await balanceOf(db, caller)).toMatchObject({ available: 9950, held: 0, used: 50, request_count: 4 });
  });

  test('N5 a batch at once looks for earlier charges by their keys, also if the ledger was empty when it was planned', async () => {
    const { name, text } = atOnceStatement({ parts: ['users', 'holds'], locks: true });
    const client = new Client({ connectionString: db.databaseUrl });
    await client.connect();
    // The ledger refuses to lose rows, except for replicas.
    await client.query('begin; set local session_replication_role = replica; truncate ledger; analyze ledger');
    await client.query(`${planning}; prepare "${name}" as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute "${name}" ('[]', '[]')`);
    await client.query('rollback');
    await client.end();
    const plan = rows.map((row) => row['QUERY PLAN']);
    const scan = plan.findIndex((line) => line.includes(' on ledger'));
    expect(plan[scan]).toContain('ledger_op_key_index');
    expect(plan[scan + 1]).toContain('Index Cond');
  });

  test('RELAY-07 every part of a batch at once can be written by itself, and beside all others', async () => {
    const client = new Client({ connectionString: db.databaseUrl });
    await client.connect();
    const lists: readonly (readonly AtOncePart[])[] = [
      atOnceParts,
      ['users'],
      ...atOnceParts.slice(1).map((part): readonly AtOncePart[] => ['users', part]),
    ];
    for (const parts of lists) {
      for (const locks of [true, false]) {
        const { rowCount } = await client.query({
          ...atOnceStatement({ parts, locks }),
          values: parts.flatMap((part) => (part === 'charges' ? ['[]', '{}'] : ['[]'])),
        });
        expect(rowCount).toBe(0);
      }
      const locked = parts.filter(isLocked);
      const { rowCount } = await client.query({ ...lockStatement(locked), values: locked.map(() => []) });
      expect(rowCount).toBe(1);
    }
    await client.end();
  });
}

test('N5 a node writes in one statement again a second after another has charged the same accounts', () => {
  let now = 0;
  const recent = createRecentAccounts(() => now);
  const use = (added: number, used: number) => ({ added: new Map([[1, added]]), now: new Map([[1, used]]) });
  recent.noteWritten(use(10, 10));
  recent.noteWritten(use(10, 20));
  expect(recent.areShared()).toBe(false);
  recent.noteWritten(use(10, 31));
  expect(recent.areShared()).toBe(true);
  now = 1000;
  expect(recent.areShared()).toBe(false);
  recent.noteWritten({ added: new Map(), now: new Map([[1, 32]]) });
  expect(recent.areShared()).toBe(true);
});

test('N5 of a batch that could not be written at once, the accounts that had too little are read first for a second', () => {
  const done = { outcome: 'done', charged: 10, unrecovered: 0 } as const;
  const of = (available: number) => ({ available, held: 0, used: 0 });
  const required = {
    users: new Map([1, 2, 3, 4].map((id) => [id, 10])),
    tokens: new Map([1, 2, 3, 4].map((id) => [id, { unlimited: id === 4, least: 10 }])),
    periods: new Map(),
    holds: new Map(),
  };
  const batch = [1, 2, 3, 4].map((id) =>
    settleFor({ userId: id, tokenId: id, channelId: 1, tokenLimited: id !== 4 }, `of ${id}`, 10),
  );
  let now = 0;
  const recent = createRecentAccounts(() => now);
  const tight = () => [1, 2, 3, 4].filter((id) => recent.areTight([id]));
  const enough = [
    { ...done, user: of(10), token: of(11) },
    { ...done, user: of(9), token: of(11) },
    { ...done, user: of(10), token: of(10) },
    { ...done, user: of(10), token: of(0) },
  ];
  recent.noteRead(batch, enough);
  expect(tight()).toEqual([]);
  recent.noteRead(batch, enough, required);
  expect(tight()).toEqual([2, 3]);
  expect(recent.areTight([1, 4, 3])).toBe(true);
  now = 1000;
  expect(tight()).toEqual([2, 3]);
  now = 1001;
  expect(tight()).toEqual([]);
  // A row of this posting was locked elsewhere, and that account is gone.
  recent.noteRead(batch.slice(0, 2), [undefined, done], required);
  expect(tight()).toEqual([2]);
  now = 2002;
  expect(tight()).toEqual([]);
  // None of them had too little: it was something else of any of them.
  recent.noteRead(batch.slice(0, 1), enough.slice(0, 1), required);
  recent.noteRead([{ kind: 'progress', requestId: 'of 4', progress: 1 }], [done], required);
  expect(tight()).toEqual([1]);
});
