import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { appendAudit, findBrokenAudit } from './audit.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(() => db.close());

const entry = (subject: string) => ({
  created_at: 1,
  actor_id: 1,
  actor_name: 'root',
  action: 'update_option',
  subject,
  detail: '',
  address: '127.0.0.1',
  request_id: 'r',
});

const append = (subject: string) => db.write.transaction().execute((trx) => appendAudit(trx, entry(subject)));

/** Bypasses the triggers, as a person with access to the database could. */
const tamper = async (statement: ReturnType<typeof sql>): Promise<void> => {
  if (db.kind === 'postgres') await sql`alter table audit disable trigger all`.execute(db.write);
  else {
    await sql`drop trigger audit_no_update`.execute(db.write);
    await sql`drop trigger audit_no_delete`.execute(db.write);
  }
  await statement.execute(db.write);
};

test('entries written at once form one chain', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => append(`option ${index}`)));
  const rows = await db.read.selectFrom('audit').select('previous_hash').execute();
  expect(rows).toHaveLength(30);
  expect(new Set(rows.map((row) => row.previous_hash)).size).toBe(30);
  expect(await findBrokenAudit(db.read)).toBeUndefined();
});

test('an entry of a transaction that is undone leaves no gap in the chain', async () => {
  await append('first');
  const undone = db.write.transaction().execute(async (trx) => {
    await appendAudit(trx, entry('second'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await append('third');
  expect(await findBrokenAudit(db.read)).toBeUndefined();
});

test('an altered entry is found', async () => {
  for (const subject of ['one', 'two', 'three']) await append(subject);
  const { id } = await db.read.selectFrom('audit').select('id').where('subject', '=', 'two').executeTakeFirstOrThrow();
  await tamper(sql`update audit set subject = 'other' where id = ${id}`);
  expect(await findBrokenAudit(db.read)).toBe(id);
});

test('an entry taken out of the middle is found', async () => {
  for (const subject of ['one', 'two', 'three']) await append(subject);
  await tamper(sql`delete from audit where subject = 'two'`);
  const { id } = await db.read
    .selectFrom('audit')
    .select('id')
    .where('subject', '=', 'three')
    .executeTakeFirstOrThrow();
  expect(await findBrokenAudit(db.read)).toBe(id);
});

test('a tail that was cut off is found', async () => {
  for (const subject of ['one', 'two', 'three']) await append(subject);
  await tamper(sql`delete from audit where subject = 'three'`);
  const { id } = await db.read.selectFrom('audit').select('id').where('subject', '=', 'two').executeTakeFirstOrThrow();
  expect(await findBrokenAudit(db.read)).toBe(id + 1);
});

test('the database refuses to change or delete an entry', async () => {
  await append('one');
  await expect(db.write.updateTable('audit').set({ subject: 'x' }).execute()).rejects.toThrow('append-only');
  await expect(db.write.deleteFrom('audit').execute()).rejects.toThrow('append-only');
});
