import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken, addUser } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { findSubjects } from './find-subjects.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const now = 1_800_000_000;
const rule = {
  id: 1,
  name: 'spent',
  kind: 'budget',
  severity: 'warning',
  enabled: 1,
  threshold: 80,
  window_minutes: 0,
  least: 0,
  repeat_minutes: 0,
  destinations: '[]',
} as const;

/** A budget of 1,000 whose last period was used up, and of whose present one so much was charged. */
const addBudget = async (of: { scope: 'token' | 'model'; subject_id: number; model: string }, used: number) => {
  const terms = { period: 'month', zone: 'UTC', amount: 1000, rollover: 0, hard: 0, by_admin: 0 } as const;
  const { id } = await db.write
    .insertInto('budgets')
    .values({ ...of, ...terms, created_time: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const period = { budget_id: id, granted: 1000, held: 0 };
  await db.write
    .insertInto('budget_periods')
    .values([
      { ...period, starts_at: now - 100, ends_at: now - 10, used: 1000 },
      { ...period, starts_at: now - 10, ends_at: now + 10, used },
    ])
    .execute();
  return id;
};

test('a rule about budgets finds those of whose present period so many percent were charged', async () => {
  const userId = await addUser(db, { username: 'ada' });
  const tokenOf = async (name: string, deleted = 0) => ({
    scope: 'token' as const,
    subject_id: await addToken(db, userId, { name, deleted_time: deleted }),
    model: '',
  });
  const spent = await addBudget(await tokenOf('agent'), 809);
  await addBudget(await tokenOf('idle'), 799);
  await addBudget(await tokenOf('gone', 5), 1000);
  const ofModel = await addBudget({ scope: 'model', subject_id: 0, model: 'gpt-5' }, 1500);
  const reconciliation = () => {
    throw new Error('budgets need no comparison of the ledger');
  };
  expect(await findSubjects({ db, reconciliation }, rule, now)).toEqual({
    count: 2,
    subjects: [
      { key: `budget ${spent}`, name: `ada / agent (#${spent})`, value: 80, note: 'month' },
      { key: `budget ${ofModel}`, name: `gpt-5 (#${ofModel})`, value: 150, note: 'month' },
    ],
  });
});
