import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { clearAttempts, countAttempt, deleteOldAttempts } from './attempts.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(() => db.close());

const rule = { free: 3, delays: [2, 4, 10] };
const attempt = (now: number, subject = 'login:user:1') => countAttempt(db, { subject, rule, now });

test('AUTH-11 of attempts made at once only the free ones are looked at', async () => {
  const allowed = await Promise.all(Array.from({ length: 50 }, () => attempt(1000)));
  expect(allowed.filter(Boolean)).toHaveLength(3);
});

test('AUTH-11 each further attempt waits longer, up to the longest wait', async () => {
  for (let index = 0; index < 3; index += 1) expect(await attempt(1000)).toBe(true);
  const waits: number[] = [];
  for (let now = 1000, last = 1000; waits.length < 5; now += 1) {
    if (!(await attempt(now))) continue;
    waits.push(now - last);
    last = now;
  }
  expect(waits).toEqual([2, 4, 10, 10, 10]);
});

test('a subject that waits does not make another one wait, and starts anew after a success', async () => {
  for (let index = 0; index < 3; index += 1) await attempt(1000);
  expect(await attempt(1000)).toBe(false);
  expect(await attempt(1000, 'login:user:2')).toBe(true);
  await clearAttempts(db, 'login:user:1');
  expect(await attempt(1000)).toBe(true);
});

test('only subjects without recent attempts are deleted', async () => {
  for (let index = 0; index < 3; index += 1) await attempt(5000);
  await attempt(1000, 'login:user:2');
  await deleteOldAttempts(db, 5000);
  expect(await attempt(5000)).toBe(false);
  expect(await db.read.selectFrom('attempts').select('subject').execute()).toEqual([{ subject: 'login:user:1' }]);
});
