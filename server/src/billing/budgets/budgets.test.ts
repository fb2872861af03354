import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { insertBudget } from '../../store/budgets/budgets.ts';
import { periodsNamed } from '../../store/ledger/period-names.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import type { Payer } from '../stored-hold.ts';
import { createBudgets } from './budgets.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(() => db.close());

const payer: Payer = { userId: 1, tokenId: 5, tokenLimited: false };
const terms = { zone: 'UTC', amount: 100, rollover: false, hard: true, byAdmin: false, at: 1 } as const;
const token = { scope: 'token', subjectId: 5, model: '' } as const;
const midnight = Date.parse('2026-11-02T00:00:00Z');

test('calls that meet at the renewal of their budgets count in all of them, each in the periods of its own instant', async () => {
  for (const period of ['day', 'week'] as const)
    await db.write.transaction().execute((trx) => insertBudget(trx, { ...token, ...terms, period }));
  let now = midnight - 3 * 86_400_000;
  const changes = await openChanges({});
  const budgets = createBudgets({ db, changes, clock: { now: () => now }, reservedIn: () => 0 });
  await budgets.payerOf(payer, 'gpt-5');
  // Midnight of a Monday: the day and the week end together. Later calls may have earlier clocks.
  const instants = [-1000, 0, -1000, 1000, -2000, 0];
  const calls = instants.map(async (away) => {
    now = midnight + away;
    return budgets.payerOf(payer, 'gpt-5');
  });
  const named = await Promise.all(calls);
  const starts = await Promise.all(
    named.map(async ({ budgets: names }) => {
      const ids = periodsNamed(names).map(({ id }) => id);
      const rows = await db.read.selectFrom('budget_periods').select('starts_at').where('id', 'in', ids).execute();
      return rows.map(({ starts_at: at }) => at * 1000).toSorted((one, other) => one - other);
    }),
  );
  const before = [midnight - 7 * 86_400_000, midnight - 86_400_000];
  const after = [midnight, midnight];
  expect(starts).toEqual(instants.map((away) => (away < 0 ? before : after)));
  budgets.close();
});
