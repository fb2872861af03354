import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createAccounts } from '../../src/billing/accounts.ts';
import { appendAudit, findBrokenAudit } from '../../src/store/audit.ts';
import { verifyLedger } from '../../src/store/ledger/verify.ts';
import { openChanges } from '../../src/store/nodes/changes.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import { addCaller, holdFor, settleFor, type Caller } from '../database/accounts.ts';
import {
  createTestStorage,
  openTestDatabase,
  testDatabaseKind,
  type TestDatabase,
  type TestStorage,
} from '../database/database.ts';
import { startFaultProxy } from './fault-proxy.ts';

const unavailable = { code: 'unavailable' };
/** New work is refused after two seconds; a busy machine is slower. */
const refusedWithinMs = 4500;

const expectAgreement = async (db: TestDatabase) => {
  expect((await verifyLedger(db)).findings).toEqual([]);
};

/** Another session locks a row, until `end`. */
const lockRow = async (db: TestDatabase, table: 'users' | 'tokens', id: number) => {
  const session = new Client({ connectionString: db.databaseUrl });
  await session.connect();
  await session.query('begin');
  await session.query(`select id from ${table} where id = $1 for update`, [id]);
  return async () => {
    await session.query('rollback');
    await session.end();
  };
};

/** Calls of one account, one after the other, 20 and until `isOver`. Resolves to the milliseconds of the longest. */
const callUntil = async (db: TestDatabase, caller: Caller, isOver: () => boolean) => {
  let longestMs = 0;
  for (let count = 0; count < 20 || !isOver(); count += 1) {
    const started = performance.now();
    await db.post(holdFor(caller, `beside${count}`, 10));
    await db.post(settleFor(caller, `beside${count}`, 5));
    longestMs = Math.max(longestMs, performance.now() - started);
  }
  return longestMs;
};

const onPostgres = () => {
  const tables = [
    ['users', ({ userId }: Caller) => userId],
    ['tokens', ({ tokenId }: Caller) => tokenId],
  ] as const;
  test.each(tables)('M4 a row of %s that is locked elsewhere stops its own account alone', async (table, idOf) => {
    const db = await openTestDatabase();
    const locked = await addCaller(db, 100_000, 100_000);
    const free = await addCaller(db, 1e9, 1e9);
    await db.post(holdFor(locked, 'running', 100));
    const release = await lockRow(db, table, idOf(locked));
    let answered = 0;
    const count = () => void (answered += 1);
    const settled = db.post(settleFor(locked, 'running', 60));
    void settled.then(count);
    const held = db.post(holdFor(locked, 'new', 10));
    held.then(count, count);
    // Until the new hold was answered.
    const longestMs = await callUntil(db, free, () => answered > 0);
    expect(longestMs).toBeLessThan(refusedWithinMs);
    await expect(held).rejects.toMatchObject(unavailable);
    expect(answered).toBe(1);
    await release();
    expect(await settled).toMatchObject({ outcome: 'done', charged: 60 });
    expect((await db.post(holdFor(locked, 'again', 10))).outcome).toBe('done');
    await expectAgreement(db);
    await db.close();
  });

  test('M4 a transaction that stands still with the head of the audit log stops no call, and loses it after five seconds', async () => {
    const db = await openTestDatabase();
    const edited = await addCaller(db, 1e9, 1e9);
    const free = await addCaller(db, 1e9, 1e9);
    const entry = { created_at: 1, actor_id: 1, actor_name: 'root', detail: '', address: '', request_id: 'r' };
    const { promise: gate, resolve: go } = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    // As a process that is stopped between its last statement and the commit.
    const stands = db.write.transaction().execute(async (trx) => {
      await appendAudit(trx, { ...entry, action: 'stands', subject: '' });
      holding.resolve();
      await gate;
    });
    const ended = stands.then(
      () => 'committed',
      () => 'undone',
    );
    await holding.promise;
    let isEdited = false;
    const editing = db.write.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ display_name: 'edited' }).where('id', '=', edited.userId).execute();
      await appendAudit(trx, { ...entry, action: 'edits', subject: String(edited.userId) });
      isEdited = true;
    });
    const longestMs = await callUntil(db, free, () => isEdited);
    expect(longestMs).toBeLessThan(refusedWithinMs);
    await editing;
    go();
    expect(await ended).toBe('undone');
    expect((await db.post(holdFor(edited, 'after', 10))).outcome).toBe('done');
    expect((await db.read.selectFrom('audit').select('action').execute()).map(({ action }) => action)).toEqual([
      'edits',
    ]);
    expect(await findBrokenAudit(db.read)).toBeUndefined();
    await expectAgreement(db);
    await db.close();
  });

  test('M5 after a fail-over that lost its commit a settlement is in the ledger before it is answered', async () => {
    const storage = await createTestStorage();
    const promoted = await createTestStorage();
    const url = new URL(storage.databaseUrl ?? '');
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const databaseUrl = url.href;
    const nameOf = (place: TestStorage) => new URL(place.databaseUrl ?? '').pathname.slice(1);
    const first = await openDatabase({ ...storage, databaseUrl });
    const caller = await addCaller(first, 1000);
    await first.post(holdFor(caller, 'call', 100));
    await first.close();
    // The standby has all commits so far, and the same processes.
    const admin = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
    await admin.connect();
    await admin.query(`drop database ${nameOf(promoted)}`);
    await admin.query(`create database ${nameOf(promoted)} template ${nameOf(storage)}`);
    await admin.end();
    const standby = new Client({ connectionString: promoted.databaseUrl });
    await standby.connect();
    await standby.query("update instance set value = '2' where key = 'epoch:main'");
    await standby.query('update users set available = available + 7 where id = $1', [caller.userId]);

    const db = await openDatabase({ ...storage, databaseUrl });
    const accounts = createAccounts({ db, changes: await openChanges({}), onError: () => undefined });
    db.onReconnect(accounts.invalidate);
    await accounts.ready(caller);
    expect(accounts.free(caller).user).toBe(1000);
    proxy.failOver(nameOf(storage), nameOf(promoted));
    proxy.swallowAnswerTo('commit', 1);
    // Here the lost commit stands in the way of nothing: the server knows its number, the standby's ledger does not.
    expect(await db.post(settleFor(caller, 'call', 60))).toMatchObject({ charged: 60 });
    expect(proxy.swallowed).toBe(1);
    const { rows } = await standby.query('select amount from ledger where request_id = $1', ['call']);
    expect(rows).toEqual([{ amount: '60' }]);
    await accounts.ready(caller);
    expect(accounts.free(caller).user).toBe(947);
    accounts.close();
    await standby.end();
    await db.close();
    await proxy.close();
    await storage.remove();
    await promoted.remove();
  });
};

const onSqlite = () => {
  test('M12 while another process has the file, new holds are refused as soon as on PostgreSQL, settlements wait', async () => {
    const db = await openTestDatabase();
    const caller = await addCaller(db, 1e9);
    await db.post(holdFor(caller, 'running', 100));
    const other = new DatabaseSync(join(db.dataDir, 'weir.db'), { timeout: 10_000 });
    other.exec('begin immediate');
    const settled = db.post(settleFor(caller, 'running', 60));
    const started = performance.now();
    const holds = Array.from({ length: 2500 }, (_, index) => db.post(holdFor(caller, `new${index}`, 1)));
    const outcomes = await Promise.allSettled(holds);
    expect(performance.now() - started).toBeLessThan(refusedWithinMs);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    other.exec('rollback');
    other.close();
    expect(await settled).toMatchObject({ outcome: 'done', charged: 60 });
    expect((await db.post(holdFor(caller, 'again', 10))).outcome).toBe('done');
    await expectAgreement(db);
    await db.close();
  });
};

if (testDatabaseKind === 'sqlite') onSqlite();
else onPostgres();
