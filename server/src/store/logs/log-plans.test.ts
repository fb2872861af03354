import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { explain, recordQueries } from '../../../test/database/query-plans.ts';
import { sumNextHour } from './log-days.ts';
import type { LogFilter } from './log-filter.ts';
import { sumNamedBuckets } from './log-sums.ts';
import { listLogs, sumLogs } from './logs.ts';

const rowCount = 40_000;
const begin = 1_700_000_000;
const everything: LogFilter = {
  userId: 0,
  type: 0,
  tokenName: '',
  tokenId: 0,
  modelName: '',
  channelId: 0,
  start: 0,
  end: 0,
};

/** Every filter that can be set alone. */
const single: readonly (readonly [name: string, filter: LogFilter])[] = [
  ['user', { ...everything, userId: 7 }],
  ['token', { ...everything, tokenName: 'token7' }],
  ['model', { ...everything, modelName: 'model7' }],
  ['channel', { ...everything, channelId: 3 }],
  ['type 3', { ...everything, type: 3 }],
  ['start', { ...everything, start: begin + 600_000 }],
  ['end', { ...everything, end: begin + 1800 }],
];

/** Nearly every row belongs to these. */
const unfiltered: readonly (readonly [name: string, filter: LogFilter])[] = [
  ['everything', everything],
  ['all consumption', { ...everything, type: 2 }],
];

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  await sql`
    insert into logs (user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rowCount)})
    select n % 50, ${sql.lit(begin)} + n * 30, case when n % 1000 = 0 then 3 else 2 end, '', '', 0, 'token' || (n % 30),
      'model' || (n % 20), 1, 1, 1, n % 10, '', 0, 0, 0, '' from numbers`.execute(db.write);
  await sql`
    insert into log_hours (hour, user_id, token_name, model_name, channel_id, requests, quota, prompt_tokens, completion_tokens)
    select created_at / 3600, user_id, token_name, model_name, channel_id, count(*), sum(quota), sum(prompt_tokens),
      sum(completion_tokens) from logs where type = 2 group by 1, 2, 3, 4, 5`.execute(db.write);
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
});
afterAll(() => db.close());

/** Statements that go through the whole log. The index on the rare types holds few rows of it. */
const findScans = async (queries: readonly CompiledQuery[]): Promise<string[]> => {
  const scans: string[] = [];
  for (const query of queries) {
    const steps = await explain(db, query);
    const scan = steps.find((step) => /^SCAN logs\b(?!.*logs_type_id_index)/.test(step));
    if (scan !== undefined) scans.push(`${query.sql}: ${steps.join(', ')}`);
  }
  return scans;
};

test.each(single)('LOG-06 no query of a list filtered by %s alone scans the whole log', async (_, filter) => {
  const recorded = recordQueries(db);
  expect(await listLogs(recorded.db, { filter, page: 0, reader: 1 })).toHaveLength(10);
  expect(await findScans(recorded.take())).toEqual([]);
});

test.each(unfiltered)('LOG-06 a list of %s reads the log from its newest row on', async (_, filter) => {
  const recorded = recordQueries(db);
  expect(await listLogs(recorded.db, { filter, page: 0, reader: 1 })).toHaveLength(10);
  for (const query of recorded.take()) {
    const steps = await explain(db, query);
    expect(
      steps.some((step) => /sort|temp b-tree/i.test(step)),
      steps.join(', '),
    ).toBe(false);
  }
});

test.each([...single, ...unfiltered])(
  'LOG-06 no query of the total of %s goes through the whole log',
  async (_, filter) => {
    const recorded = recordQueries(db);
    const { quota } = await sumLogs(recorded.db, filter);
    expect(quota).toBeGreaterThan(0);
    expect(await findScans(recorded.take())).toEqual([]);
  },
);

test('K13 LOG-06 a chart of the largest users finds them by an index of day and quota, and reads no other of a day', async () => {
  const day = 86_400;
  const days = { from: Math.ceil(begin / day) * day, before: Math.floor((begin + rowCount * 30) / day) * day };
  while (await sumNextHour(db, days.before / 3600));
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
  const recorded = recordQueries(db);
  const query = { filter: everything, span: days, step: day, by: 'user_id', top: 7 } as const;
  expect((await sumNamedBuckets(recorded.db, query)).length).toBeGreaterThan(7);
  const queries = recorded.take();
  const plan = await db.write.transaction().execute(async (trx) => {
    // The table of a test is too small for an index to be worth it.
    if (db.kind === 'postgres')
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
    const plans: string[] = [];
    for (const each of queries) plans.push(...(await explain({ kind: db.kind, write: trx }, each)));
    return plans;
  });
  expect(
    plan.filter((step) => step.startsWith('SCAN log_days_of_users')),
    plan.join('\n'),
  ).toEqual([]);
  // On PostgreSQL a sum is no integer: an index of integers is not searched for it unless it is made one.
  const found = plan.filter((step) => step.includes('log_days_of_users_quota_index'));
  expect(
    found.some((step) => /quota ?>/.test(step)),
    plan.join('\n'),
  ).toBe(true);
});
