import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { saveCode, takeCode, tryCode } from './codes.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const code = (subject: string, digest = 'right') => ({ purpose: 'email', subject, digest, now: 1000 }) as const;
const save = (subject: string, digest?: string) => saveCode(db.write, { ...code(subject, digest), lifetime: 600 });
const attempt = (subject: string, digest?: string, now = 1000) =>
  tryCode(db, { ...code(subject, digest), now, triesMax: 5 });

test('a code is used once, also where two use it at once', async () => {
  await save('once@example.com');
  expect(await attempt('once@example.com')).toBe(true);
  const taken = await Promise.all([1, 2, 3].map(() => takeCode(db.write, code('once@example.com'))));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await attempt('once@example.com')).toBe(false);
});

test('of a hundred guesses made at once five are checked, and the right one after them is refused', async () => {
  await save('guessed@example.com');
  const guesses = Array.from({ length: 99 }, (_, index) => attempt('guessed@example.com', `guess ${index}`));
  expect(await Promise.all(guesses)).not.toContain(true);
  expect(await attempt('guessed@example.com')).toBe(false);
  const row = await db.read.selectFrom('codes').selectAll().where('subject', '=', 'guessed@example.com').execute();
  expect(row).toMatchObject([{ tries: 5, digest: 'right', created_at: 1000, expires_at: 1600 }]);
});

test('RESET-04 a code ends after its time, and with the next one for the same subject', async () => {
  await save('late@example.com');
  expect(await attempt('late@example.com', 'right', 1599)).toBe(true);
  expect(await attempt('late@example.com', 'right', 1600)).toBe(false);
  expect(await takeCode(db.write, { ...code('late@example.com'), now: 1600 })).toBe(false);
  await save('late@example.com', 'newer');
  expect(await attempt('late@example.com')).toBe(false);
  expect(await attempt('late@example.com', 'newer')).toBe(true);
});

test('a code is of no use to another subject or for another purpose', async () => {
  await save('mine@example.com');
  expect(await attempt('other@example.com')).toBe(false);
  expect(await tryCode(db, { ...code('mine@example.com'), purpose: 'reset', triesMax: 5 })).toBe(false);
  expect(await takeCode(db.write, { ...code('mine@example.com'), purpose: 'reset' })).toBe(false);
  expect(await attempt('mine@example.com')).toBe(true);
});

test('a right code that was not used in the end can be tried again', async () => {
  await save('again@example.com');
  const used = db.write.transaction().execute(async (trx) => {
    expect(await takeCode(trx, code('again@example.com'))).toBe(true);
    throw new Error('the name is taken');
  });
  await expect(used).rejects.toThrow('the name is taken');
  expect(await attempt('again@example.com')).toBe(true);
  expect(await takeCode(db.write, code('again@example.com'))).toBe(true);
});
