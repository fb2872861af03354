import { sql } from 'kysely';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { addCaller, addUser, holdFor, logFor, settleFor } from '../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { isUniqueViolation } from './engine/database-error.ts';
import { everything } from './logs/log-filter.ts';
import { sumNamedBuckets, sumNames } from './logs/log-sums.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const option = (key: string, version = 1) => ({ key, value: 'v', version });
const put = (key: string, version?: number) => db.write.insertInto('options').values(option(key, version)).execute();
const keys = async (prefix: string) => {
  const rows = await db.read
    .selectFrom('options')
    .select('key')
    .where('key', 'like', `${prefix}%`)
    .orderBy('key')
    .execute();
  return rows.map((row) => row.key);
};

test('a read that follows a write sees it', async () => {
  for (let round = 0; round < 20; round += 1) {
    await put(`seen${round}`);
    expect(await keys(`seen${round}`)).toContain(`seen${round}`);
  }
});

test('writes return how many rows they changed and which id they made', async () => {
  await put('changed1');
  await put('changed2');
  const update = db.write.updateTable('options').set({ value: 'w' }).where('key', 'like', 'changed%');
  expect((await update.executeTakeFirstOrThrow()).numUpdatedRows).toBe(2n);
  const made = await db.write
    .deleteFrom('options')
    .where('key', '=', 'changed1')
    .returning(['key', 'value'])
    .executeTakeFirst();
  expect(made).toEqual({ key: 'changed1', value: 'w' });
  expect(await addUser(db)).toBeGreaterThan(0);
});

test('of the writes in one commit only the faulty ones fail', async () => {
  await put('twice');
  const results = await Promise.allSettled([put('one'), put('twice'), put('two'), put('twice'), put('three')]);
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const [, failed] = results;
  expect(failed?.status === 'rejected' && isUniqueViolation(failed.reason)).toBe(true);
  expect(await keys('t')).toEqual(['three', 'twice', 'two']);
});

test('M16 a posting that the database refuses fails alone, and the writes beside it are there', async () => {
  const caller = await addCaller(db, 100);
  const broken = { ...logFor(caller, 'g2', 10), elapsed_time: 0.5 };
  const results = await Promise.allSettled([
    db.post(settleFor(caller, 'g1', 10)),
    db.post({ ...settleFor(caller, 'g2', 10), log: broken }),
    db.post(settleFor(caller, 'g3', 10)),
    put('beside'),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const user = await db.read
    .selectFrom('users')
    .select(['available', 'used'])
    .where('id', '=', caller.userId)
    .executeTakeFirst();
  expect(user).toEqual({ available: 80, used: 20 });
  // SQLite does the whole commit again without it: what else was answered as done is there.
  expect(await keys('beside')).toEqual(['beside']);
});

test('text with a zero byte in a log does not stop its settlement', async () => {
  const caller = await addCaller(db, 100);
  const log = { ...logFor(caller, 'nul', 10), model_name: 'mod\0el' };
  expect((await db.post({ ...settleFor(caller, 'nul', 10), log })).outcome).toBe('done');
});

test('a transaction that throws leaves nothing behind', async () => {
  const failing = db.write.transaction().execute(async (trx) => {
    await trx.insertInto('options').values(option('undone')).execute();
    expect((await trx.selectFrom('options').selectAll().where('key', '=', 'undone').execute()).length).toBe(1);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await keys('undone')).toEqual([]);
});

test('a failed statement in a transaction undoes all of it', async () => {
  await put('taken');
  const failing = db.write.transaction().execute(async (trx) => {
    await trx.insertInto('options').values(option('undone2')).execute();
    await trx.insertInto('options').values(option('taken')).execute();
  });
  await expect(failing).rejects.toSatisfy(isUniqueViolation);
  expect(await keys('undone2')).toEqual([]);
});

test('what a transaction has not committed is invisible to others', async () => {
  await db.write.transaction().execute(async (trx) => {
    await trx.insertInto('options').values(option('hidden')).execute();
    expect(await keys('hidden')).toEqual([]);
  });
  expect(await keys('hidden')).toEqual(['hidden']);
});

test('S8 sums over the log need no writer: they are read while a transaction has it', async () => {
  const query = { filter: everything, span: { from: 864_000, before: 950_400 }, step: 3600 };
  await db.write.transaction().execute(async (trx) => {
    await trx.insertInto('options').values(option('writer taken')).execute();
    expect(await sumNamedBuckets(db, { ...query, by: 'user_id', top: 3 })).toEqual([]);
    expect(await sumNames(db, { ...query, by: 'user_id', names: ['1'] })).toEqual(new Map());
  });
});

test('M15 long reads keep no other read waiting', async () => {
  const counted = sql`(with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000000)
    select count(*) from n)`;
  const ended: string[] = [];
  const long = Array.from({ length: 2 }, async () => {
    await db.read.selectFrom('instance').select(counted.as('count')).limit(1).execute();
    ended.push('long');
  });
  await keys('any');
  ended.push('short');
  await Promise.all(long);
  expect(ended[0]).toBe('short');
});

test('parallel transactions that read, then write, lose no update', async () => {
  await put('counter', 0);
  const increment = () =>
    db.write.transaction().execute(async (trx) => {
      let read = trx.selectFrom('options').select('version').where('key', '=', 'counter');
      if (db.kind === 'postgres') read = read.forUpdate();
      const { version } = await read.executeTakeFirstOrThrow();
      await trx
        .updateTable('options')
        .set({ version: version + 1 })
        .where('key', '=', 'counter')
        .execute();
    });
  await Promise.all(Array.from({ length: 30 }, increment));
  const { version } = await db.read
    .selectFrom('options')
    .select('version')
    .where('key', '=', 'counter')
    .executeTakeFirstOrThrow();
  expect(version).toBe(30);
});

test('writes, postings and transactions that come together all take effect', async () => {
  const caller = await addCaller(db, 1000);
  const work = Array.from({ length: 20 }, (_, index) => [
    put(`mixed${index}`),
    db.post(settleFor(caller, `mixed${index}`, 1)),
    db.write.transaction().execute(async (trx) => {
      await trx
        .insertInto('options')
        .values(option(`mixedtrx${index}`))
        .execute();
    }),
  ]);
  await Promise.all(work.flat());
  expect((await keys('mixed')).length).toBe(40);
  const user = await db.read.selectFrom('users').select('used').where('id', '=', caller.userId).executeTakeFirst();
  expect(user).toEqual({ used: 20 });
});

test('a savepoint takes back what follows it and nothing else', async () => {
  const trx = await db.write.startTransaction().execute();
  await trx.insertInto('options').values(option('kept')).execute();
  const saved = await trx.savepoint('here').execute();
  await saved.insertInto('options').values(option('keptnot')).execute();
  await saved.rollbackToSavepoint('here').execute();
  await trx.commit().execute();
  expect(await keys('kept')).toEqual(['kept']);
});

test('a read does not wait for the writer, whatever its SQL begins with', async () => {
  expectTypeOf(db.read).not.toHaveProperty('insertInto');
  expectTypeOf(db.read).not.toHaveProperty('updateTable');
  expectTypeOf(db.read).not.toHaveProperty('deleteFrom');
  expectTypeOf(db.read).not.toHaveProperty('getExecutor');
  expectTypeOf(db.write).not.toHaveProperty('selectFrom');
  await db.write.transaction().execute(async (trx) => {
    await trx.selectFrom('options').select('key').limit(1).execute();
    const found = sql<{ one: number }>`(with ones as (select 1 as one) select one from ones)`.as('found');
    expect(await db.read.selectFrom(found).selectAll().execute()).toEqual([{ one: 1 }]);
  });
});

test('a read-only transaction sees one point in time and cannot write', async () => {
  await put('moment', 1);
  const reading = db.write.transaction().setAccessMode('read only');
  const snapshot = db.kind === 'sqlite' ? reading : reading.setIsolationLevel('repeatable read');
  await snapshot.execute(async (trx) => {
    const read = () => trx.selectFrom('options').select('version').where('key', '=', 'moment').executeTakeFirst();
    expect(await read()).toEqual({ version: 1 });
    await db.write.updateTable('options').set({ version: 2 }).where('key', '=', 'moment').execute();
    expect(await read()).toEqual({ version: 1 });
  });
  const writing = reading.execute((trx) => trx.insertInto('options').values(option('never')).execute());
  await expect(writing).rejects.toThrow();
  expect(await keys('never')).toEqual([]);
});

test('integers are exact up to 2^53 and refused beyond', async () => {
  await put('exact', Number.MAX_SAFE_INTEGER);
  const read = db.read.selectFrom('options').select('version').where('key', '=', 'exact');
  expect(await read.executeTakeFirst()).toEqual({ version: Number.MAX_SAFE_INTEGER });
  await db.write
    .updateTable('options')
    .set((on) => ({ version: on('version', '+', 1) }))
    .where('key', '=', 'exact')
    .execute();
  await expect(read.executeTakeFirst()).rejects.toThrow();
  await db.write.deleteFrom('options').where('key', '=', 'exact').execute();
});

test('numbers divide and print as integers on both databases', async () => {
  const { rows } = await sql<{ half: number; text: string }>`
    select cast(${7} as bigint) / cast(${2} as bigint) as half, cast(cast(${7} as bigint) as text) as text`.execute(
    db.write,
  );
  expect(rows).toEqual([{ half: 3, text: '7' }]);
});

test('sums and counts are numbers', async () => {
  await put('sum1', 2);
  await put('sum2', 3);
  const row = await db.read
    .selectFrom('options')
    .select((on) => [on.fn.sum<number>('version').as('sum'), on.fn.countAll<number>().as('count')])
    .where('key', 'like', 'sum_')
    .executeTakeFirst();
  expect(row).toEqual({ sum: 5, count: 2 });
});

test('text is ordered by its bytes', async () => {
  for (const key of ['order b', 'order B', 'order ä', 'order a', 'order_a']) await put(key);
  expect(await keys('order')).toEqual(['order B', 'order a', 'order b', 'order ä', 'order_a']);
});

test('the ledger and the audit refuse changes and removals', async () => {
  await addCaller(db, 100);
  const audit = {
    created_at: 1,
    actor_id: 1,
    actor_name: '',
    action: 'x',
    subject: '',
    detail: '',
    address: '',
    request_id: '',
    previous_hash: '',
    hash: '',
  };
  await db.write.insertInto('audit').values(audit).execute();
  const changes = [
    () => db.write.updateTable('ledger').set({ amount: 1 }).execute(),
    () => db.write.deleteFrom('ledger').execute(),
    () => db.write.updateTable('audit').set({ action: '' }).execute(),
    () => db.write.deleteFrom('audit').execute(),
  ];
  for (const change of changes) await expect(change()).rejects.toThrow('append-only');
  expect((await db.read.selectFrom('audit').selectAll().execute()).length).toBe(1);
});

test('a balance below zero is refused by the database itself', async () => {
  const { userId } = await addCaller(db, 100);
  for (const column of ['available', 'held', 'used'] as const) {
    const update = db.write
      .updateTable('users')
      .set({ [column]: -1 })
      .where('id', '=', userId);
    await expect(update.execute()).rejects.toThrow();
  }
});

test('what was started before close is done', async () => {
  const other = await openTestDatabase();
  const caller = await addCaller(other, 100);
  const held = other.post(holdFor(caller, 'late', 10));
  const written = other.write.insertInto('options').values(option('late')).execute();
  await other.close();
  expect((await held).outcome).toBe('done');
  await written;
});
