import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { sumNextHour } from './log-days.ts';
import { everything } from './log-filter.ts';
import { sumNamedBuckets } from './log-sums.ts';

const hour = 3600;
const day = 24 * hour;
const firstDay = 19_000;
const daysOfLog = 12;
const users = 40;

interface HourRow {
  readonly hour: number;
  readonly user_id: number;
  readonly token_name: string;
  readonly requests: number;
  readonly quota: number;
}

/** Pseudo-random, from 0 to before `below`. */
const createChance = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

/** Users who spend a lot in one day, a little in each, or as much as others; and keys that many share. */
const hourRows = (): HourRow[] => {
  const chance = createChance(11);
  const spends = (user: number, on: number): number => {
    if (user % 4 === 0) return on === user % daysOfLog ? 900 + user : 0;
    if (user % 4 === 1) return 60 + (user % 3);
    return user % 4 === 2 ? 75 : chance(200);
  };
  return Array.from({ length: daysOfLog * users }, (_, index) => {
    const [on, user] = [Math.floor(index / users), 1 + (index % users)];
    return {
      hour: (firstDay + on) * 24 + chance(24),
      user_id: user,
      token_name: `key ${user % 9}`,
      requests: 1 + chance(3),
      quota: spends(user, on),
    };
  }).filter(({ quota }) => quota > 0);
};

const rows = hourRows();
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  const others = { model_name: 'm', channel_id: 1, prompt_tokens: 0, completion_tokens: 0 };
  await db.write
    .insertInto('log_hours')
    .values(rows.map((row) => ({ ...row, ...others })))
    .execute();
  while (await sumNextHour(db, (firstDay + daysOfLog) * 24));
});
afterAll(() => db.close());

const spans = [
  { from: firstDay * day, before: (firstDay + daysOfLog) * day },
  { from: firstDay * day + 7 * hour, before: (firstDay + 9) * day + 5 * hour },
  { from: (firstDay + 4) * day, before: (firstDay + 5) * day },
  { from: (firstDay + 3) * day + hour, before: (firstDay + 3) * day + 20 * hour },
  { from: 0, before: hour },
];

/** Most spent first, then most requests, then by name in the database's order. */
const largest = (by: 'user_id' | 'token_name', { from, before }: (typeof spans)[number], top: number) => {
  const within = rows.filter((row) => row.hour * hour >= from && row.hour * hour < before);
  const sum = (some: readonly HourRow[], of: 'quota' | 'requests') => some.reduce((all, row) => all + row[of], 0);
  return [...Map.groupBy(within, (row) => row[by])]
    .map(([name, some]) => ({ name, quota: sum(some, 'quota'), requests: sum(some, 'requests') }))
    .toSorted(
      (one, other) => other.quota - one.quota || other.requests - one.requests || (one.name < other.name ? -1 : 1),
    )
    .slice(0, top);
};

test.each(['user_id', 'token_name'] as const)(
  'LOG-02 the largest by %s are the largest of the whole span, wherever it begins and ends, and however they spent',
  async (by) => {
    for (const span of spans) {
      for (const top of [1, 2, 7, 20, users, users + 5]) {
        const buckets = await sumNamedBuckets(db, { filter: everything, span, by, step: day, top });
        const named = Map.groupBy(buckets, ({ name }) => name);
        named.delete(null);
        const found = [...named].map(([name, some]) => [name, some.reduce((sum, { quota }) => sum + quota, 0)]);
        const wanted = largest(by, span, top).map(({ name, quota }) => [String(name), quota]);
        expect(Object.fromEntries(found), `${top} ${JSON.stringify(span)}`).toEqual(Object.fromEntries(wanted));
      }
    }
  },
);
