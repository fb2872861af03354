import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { openBare } from '../../../test/database/bare-database.ts';
import { addCaller } from '../../../test/database/accounts.ts';
import { createTestStorage } from '../../../test/database/database.ts';
import { addUse } from '../../../test/database/logs.ts';
import { migrate } from '../engine/migrate.ts';
import { openDatabase } from '../open-database.ts';
import type { Schema } from '../schema.ts';
import { sumNextHour, sumNextHourByName } from './log-days.ts';
import { readSummedDays } from './log-marks.ts';
import { emptyLog, type NewLog } from './log-columns.ts';
import { hourTables } from './log-sum-tables.ts';
import { everything } from './log-filter.ts';
import { sumConsumption } from './log-sums.ts';
import { sumLogs } from './logs.ts';

const oldest = 19_000;
const daysOfLog = 6;

/** One request of 10 units in every second hour. */
const hours = Array.from({ length: daysOfLog * 12 }, (_, index) => oldest * 24 + index * 2);

/** A database of the schema before, whose sums begin at a day and end before an hour. */
const openEarlier = async (facts: Record<string, number>) => {
  const storage = await createTestStorage();
  const bare = await openBare(storage);
  await migrate({ db: bare.query, kind: bare.kind, upTo: '0009-log-index' });
  const of = { user_id: 1, token_name: 'k', model_name: 'm', channel_id: 1 };
  const sums = { requests: 1, quota: 10, prompt_tokens: 0, completion_tokens: 0 };
  await bare.query
    .insertInto('log_hours')
    .values(hours.map((hour) => ({ hour, ...of, ...sums })))
    .execute();
  for (const [key, value] of Object.entries(facts)) {
    await sql`insert into instance (key, value) values (${key}, ${String(value)})`.execute(bare.query);
  }
  // What the earlier version had summed, in one of its tables.
  await sql`insert into log_days (day, model_name, channel_id, requests, quota, prompt_tokens, completion_tokens)
    select hour / 24, 'm', 1, sum(requests), sum(quota), 0, 0 from log_hours
    where hour < ${sql.lit(facts['log_days_next'] ?? 0)} group by 1`.execute(bare.query);
  await bare.close();
  const db = await openDatabase(storage);
  const close = async () => {
    await db.close();
    await storage.remove();
  };
  return { db, close };
};

/** Inserts a log row of a schema that has no costs. */
const insertEarlier = async (query: Kysely<Schema>, values: Partial<NewLog>): Promise<void> => {
  const { cost: _cost, run_id: _run, run_step: _step, ...row } = { ...emptyLog, ...values };
  const [columns, bound] = [Object.keys(row).map((column) => sql.ref(column)), Object.values(row)];
  await sql`insert into logs (${sql.join(columns)}) values (${sql.join(bound)})`.execute(query);
};

const summedTo = (oldest + daysOfLog) * 24;

test.each([
  {
    name: 'with sums of all days keeps them',
    facts: { log_days_from: oldest + 1, log_days_next: (oldest + 4) * 24 + 7 },
    kept: [{ from: oldest + 1, before: oldest + 4 }],
  },
  {
    name: 'that one late row had left without earlier days sums them again',
    facts: { log_days_from: oldest + 4, log_days_next: (oldest + 5) * 24 },
    kept: [{ from: oldest + 4, before: oldest + 5 }],
  },
  { name: 'that had summed nothing yet sums all', facts: {}, kept: [] },
])('M13 LOG-06 an earlier database $name', async ({ facts, kept }) => {
  await using stack = new AsyncDisposableStack();
  const { db, close } = await openEarlier(facts);
  stack.defer(close);
  const total = { quota: hours.length * 10, tokens: 0 };
  expect(await readSummedDays(db.read)).toEqual(kept);
  expect(await sumLogs(db, everything)).toEqual(total);
  while (await sumNextHour(db, summedTo));
  expect(await readSummedDays(db.read)).toEqual([{ from: oldest + 1, before: oldest + daysOfLog }]);
  expect(await sumLogs(db, everything)).toEqual(total);
  expect(await db.read.selectFrom('instance').select('key').where('key', 'like', 'log_days%').execute()).toEqual([]);
});

test('K13 LOG-06 hours of days that an earlier version summed are summed by name while the gateway runs', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, close } = await openEarlier({ log_days_from: oldest + 1, log_days_next: (oldest + 4) * 24 + 7 });
  stack.defer(close);
  const readMarks = () => db.read.selectFrom('log_days_summed').select('hours_by_name').execute();
  expect(new Set((await readMarks()).map(({ hours_by_name: named }) => named))).toEqual(new Set([0]));
  while (await sumNextHour(db, summedTo));
  while (await sumNextHourByName(db));
  expect(await readMarks()).toEqual(Array.from({ length: daysOfLog - 1 }, () => ({ hours_by_name: 24 })));
  for (const table of hourTables) {
    const rows = await db.read.selectFrom(table).select(['hour', 'requests', 'quota']).orderBy('hour').execute();
    expect(rows, table).toEqual(hours.slice(12).map((hour) => ({ hour, requests: 1, quota: 10 })));
  }
});

test('C14 the hours of an earlier database are told apart by token, and keep what no row of the log has', async () => {
  await using stack = new AsyncDisposableStack();
  const storage = await createTestStorage();
  stack.defer(() => storage.remove());
  const bare = await openBare(storage);
  await migrate({ db: bare.query, kind: bare.kind, upTo: '0012-user-name-keys' });
  const names = { user_id: 1, token_name: 'k', model_name: 'm', channel_id: 1 };
  const used = { quota: 10, prompt_tokens: 2, completion_tokens: 1 };
  for (const token_id of [7, 8, 8]) {
    await insertEarlier(bare.query, { ...names, ...used, type: 2, token_id, created_at: oldest * 86_400 });
  }
  const earlier = { quota: 50, prompt_tokens: 10, completion_tokens: 5 };
  await sql`insert into log_hours (hour, user_id, token_name, model_name, channel_id, requests, quota, prompt_tokens,
    completion_tokens) values (${sql.lit(oldest * 24)}, 1, 'k', 'm', 1, 5, ${sql.lit(earlier.quota)},
    ${sql.lit(earlier.prompt_tokens)}, ${sql.lit(earlier.completion_tokens)})`.execute(bare.query);
  await bare.close();
  const db = await openDatabase(storage);
  stack.defer(() => db.close());
  const rows = await db.read.selectFrom('log_hours').selectAll().orderBy('token_id').execute();
  expect(rows.map(({ token_id, requests, quota }) => [token_id, requests, quota])).toEqual([
    [0, 2, 20],
    [7, 1, 10],
    [8, 2, 20],
  ]);
  expect(await sumLogs(db, everything)).toEqual({ quota: 50, tokens: 15 });
});

test('what earlier calls cost their vendors is unknown, in rows and in sums, and later calls add to that', async () => {
  await using stack = new AsyncDisposableStack();
  const storage = await createTestStorage();
  stack.defer(() => storage.remove());
  const bare = await openBare(storage);
  await migrate({ db: bare.query, kind: bare.kind, upTo: '0015-refused-calls' });
  const names = { user_id: 1, token_id: 1, token_name: 'k', model_name: 'm', channel_id: 1 };
  const used = { quota: 10, prompt_tokens: 2, completion_tokens: 1 };
  for (const hour of hours) {
    await insertEarlier(bare.query, { ...names, ...used, type: 2, created_at: hour * 3600 });
    await sql`insert into log_hours (hour, user_id, token_id, token_name, model_name, channel_id, requests, quota,
      prompt_tokens, completion_tokens) values (${hour}, 1, 1, 'k', 'm', 1, 1, 10, 2, 1)`.execute(bare.query);
  }
  await bare.close();
  const db = await openDatabase(storage);
  stack.defer(() => db.close());
  expect(await db.read.selectFrom('logs').select('cost').distinct().execute()).toEqual([{ cost: -1 }]);
  const total = { requests: hours.length, quota: hours.length * 10, cost: 0n, costed: 0 };
  const span = { from: oldest * 86_400 + 1800, before: (oldest + daysOfLog) * 86_400 };
  const within = { ...total, requests: total.requests - 1, quota: total.quota - 10 };
  expect(await sumConsumption(db, { filter: everything, span })).toMatchObject(within);
  while (await sumNextHour(db, summedTo));
  expect(await sumConsumption(db, { filter: everything, span })).toMatchObject(within);
  await addUse(db, await addCaller(db, 100), { created_at: span.from, quota: 5, cost: 12 });
  expect(await sumConsumption(db, { filter: everything, span })).toMatchObject({
    ...within,
    requests: within.requests + 1,
    quota: within.quota + 5,
    cost: 12n,
    costed: 5,
  });
});
