import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { explain, recordQueries } from '../../../test/database/query-plans.ts';
import {
  addChannelAttempts,
  addChannelFailures,
  deleteOldChannelAttempts,
  listChannelFailures,
  readChannelAttempts,
  sumChannelAttempts,
} from './channel-health.ts';
import { listChannelKeys, listChannelModels } from './channel-use.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const attempts = (channel_id: number, slot: number, count = 1) => ({ channel_id, slot, outcome: 'ok', band: 7, count });
const failure = (channel_id: number, message: string) => ({
  channel_id,
  created_at: 1,
  kind: 'server',
  status: 500,
  message,
  model_name: 'm',
  request_id: 'r',
});

test('what several nodes count at once is added up, whatever order they come in', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => attempts(1 + (index % 3), 100 + index, 2));
  await Promise.all(
    Array.from({ length: 8 }, (_, node) => addChannelAttempts(db, node % 2 ? rows : rows.toReversed())),
  );
  const counted = await readChannelAttempts(db, { channelId: 2, fromSlot: 110 });
  expect(counted).toHaveLength(6 + 1);
  expect(counted.every(({ count }) => count === 16)).toBe(true);
  await deleteOldChannelAttempts(db, 120);
  expect(await readChannelAttempts(db, { channelId: 2, fromSlot: 0 })).toHaveLength(3);
});

test('failures are kept to the latest of each channel, with words that every database stores', async () => {
  await addChannelFailures(db, [
    failure(8, 'other'),
    ...Array.from({ length: 600 }, (_, n) => failure(9, `no ${n}\0`)),
  ]);
  const kept = await listChannelFailures(db, { channelId: 9, limit: 1000 });
  expect(kept.map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_, index) => `no ${599 - index}`));
  expect(await listChannelFailures(db, { channelId: 8, limit: 1000 })).toHaveLength(1);
});

test('the health of one channel is read without going through those of all', async () => {
  await sql`
    insert into channel_attempts (channel_id, slot, outcome, band, count)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 40000)
    select 1000 + n % 400, n / 400, 'ok', 1, 1 from numbers`.execute(db.write);
  await sql`
    insert into channel_failures (channel_id, created_at, kind, status, message, model_name, request_id)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
    select 1000 + n % 400, n, 'server', 500, '', '', '' from numbers`.execute(db.write);
  await sql`
    insert into log_hours (hour, user_id, token_name, model_name, channel_id, requests, quota, prompt_tokens, completion_tokens)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 40000)
    select n / 400, n % 7, 't' || (n % 11), 'm', 1000 + n % 400, 1, 1, 1, 1 from numbers`.execute(db.write);
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
  const recorded = recordQueries(db);
  const use = { channelId: 1007, fromHour: 80, limit: 10 };
  await readChannelAttempts(recorded.db, { channelId: 1007, fromSlot: 50 });
  await sumChannelAttempts(recorded.db, 98);
  await listChannelFailures(recorded.db, { channelId: 1007, limit: 20 });
  await listChannelModels(recorded.db, use);
  await listChannelKeys(recorded.db, use);
  await addChannelFailures(recorded.db, [failure(1007, 'x')]);
  await deleteOldChannelAttempts(recorded.db, 1);
  // PostgreSQL names the changed table itself as a step, in the manner of a scan.
  const shown = recorded.take().filter((query) => db.kind === 'sqlite' || query.sql.startsWith('select'));
  expect(shown.length).toBeGreaterThanOrEqual(4);
  for (const query of shown) {
    const steps = await explain(db, query);
    expect(
      steps.filter((step) => /^SCAN (?:channel_|log_hours)/.test(step)),
      `${query.sql}: ${steps.join(', ')}`,
    ).toEqual([]);
  }
});
