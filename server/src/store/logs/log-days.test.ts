import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCaller, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import { recordQueries } from '../../../test/database/query-plans.ts';
import { countRecords, findRowAt } from './log-counts.ts';
import { clearOldestLogs } from './log-clearing.ts';
import { checkNewestDays, deleteLeftDays, sumNextHour, sumNextHourByName } from './log-days.ts';
import { type HourRange, readSummedDays, readSums, type SummedDays } from './log-marks.ts';
import { dayTables, type Dimension, hourTables } from './log-sum-tables.ts';
import { everything, type LogFilter } from './log-filter.ts';
import { addSums, noSums, sumConsumption, sumNamedBuckets, sumNames } from './log-sums.ts';
import { listLogs, type LogRow, sumLogs } from './logs.ts';

const hour = 3600;
const day = 24 * hour;
const begin = 19_000 * day + 5 * hour;
const daysOfLog = 9;

/** Pseudo-random picks, the same at every run. */
const createPick = (seed: number) => {
  let state = seed;
  return <Value>(...values: readonly [Value, ...Value[]]): Value => {
    state = (state * 48_271) % 2_147_483_647;
    return values[state % values.length] ?? values[0];
  };
};

let db: TestDatabase;
let callers: [Caller, Caller];
let rows: LogRow[];

const reread = async (): Promise<void> => {
  rows = await db.read.selectFrom('logs').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
};

const fill = async (): Promise<void> => {
  const pick = createPick(3);
  const times = Array.from({ length: 600 }, (_, index) => begin + Math.floor((index * daysOfLog * day) / 600));
  for (const created_at of times) {
    const caller = pick(...callers);
    const values = {
      created_at,
      token_name: pick('ci', 'web', 'default'),
      model_name: pick('a', 'b', 'c'),
      channel_id: pick(1, 2),
    };
    if (pick(true, false, false, false, false, false)) {
      await addNote(db, { ...values, user_id: caller.userId, type: pick(1, 3, 5) });
    } else {
      await addUse(db, caller, {
        ...values,
        quota: pick(1, 7, 50),
        prompt_tokens: pick(0, 3),
        completion_tokens: 2,
        cost: pick(-1, 0, 9, 4_000_000),
      });
    }
  }
};

beforeAll(async () => {
  db = await openTestDatabase();
  callers = [await addCaller(db, 1_000_000), await addCaller(db, 1_000_000)];
  await fill();
  await reread();
});
afterAll(() => db.close());

const matches = (row: LogRow, filter: LogFilter): boolean =>
  (filter.userId === 0 || row.user_id === filter.userId) &&
  (filter.type === 0 || row.type === filter.type) &&
  (filter.tokenName === '' || row.token_name === filter.tokenName) &&
  (filter.modelName === '' || row.model_name === filter.modelName) &&
  (filter.channelId === 0 || row.channel_id === filter.channelId) &&
  row.created_at >= filter.start &&
  (filter.end === 0 || row.created_at <= filter.end);

const filters = (): LogFilter[] => {
  const pick = createPick(5);
  const [one, two] = callers;
  const combined = Array.from({ length: 60 }, () => ({
    userId: pick(0, 0, one.userId, two.userId),
    type: pick(0, 0, 2, 3),
    tokenName: pick('', '', 'ci', 'unknown'),
    tokenId: 0,
    modelName: pick('', '', 'a'),
    channelId: pick(0, 0, 2),
    start: pick(0, begin + 2 * day + 1, begin + 3 * day - 5 * hour, begin + 7 * hour + 30),
    end: pick(0, 0, begin + 6 * day, begin + 7 * day + 9 * hour - 1),
  }));
  return [everything, { ...everything, type: 2 }, ...combined];
};

const sumOf = (some: readonly LogRow[]) => ({
  quota: some.reduce((sum, { quota }) => sum + quota, 0),
  tokens: some.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
});

/** The same with what the calls cost their vendors. */
const costsOf = (some: readonly LogRow[]) => {
  const known = some.filter(({ cost }) => cost >= 0);
  const [quota, costed] = [sumOf(some).quota, sumOf(known).quota];
  return { requests: some.length, quota, costed, cost: BigInt(known.reduce((sum, { cost }) => sum + cost, 0)) };
};

/** A list that an index of ids serves. */
const isInOrderOfIds = ({ type, tokenName, modelName, channelId, start, end }: LogFilter): boolean =>
  (type === 0 || type === 2) && tokenName + modelName === '' && channelId + start + end === 0;

let reader = 0;

/** Lists, totals, counts and positions, each against the rows themselves. */
const checkAll = async (): Promise<void> => {
  for (const filter of filters()) {
    const name = JSON.stringify(filter);
    const expected = rows.filter((row) => matches(row, filter));
    const consumed = rows.filter((row) => row.type === 2 && matches(row, { ...filter, type: 0 }));
    expect(await sumLogs(db, filter), name).toEqual(sumOf(consumed));
    const listed = await listLogs(db, { filter, page: 1, reader: (reader += 1) });
    const shown = isInOrderOfIds(filter) ? expected.toSorted((one, other) => other.id - one.id) : expected;
    expect(listed, name).toEqual(shown.slice(10, 20));
    const span = { from: filter.start, before: filter.end > 0 ? filter.end + 1 : begin * 2 };
    if (filter.type === 0) {
      expect(await sumConsumption(db, { filter, span }), name).toMatchObject(costsOf(consumed));
    }
    for (const step of [hour, 6 * hour, day]) {
      const counted = await countRecords(db, { filter, span, step });
      const wanted = Map.groupBy(expected.toReversed(), (row) => Math.floor(row.created_at / step) * step);
      expect(
        counted.map(({ at, requests, quota }) => [at, requests, quota]),
        `${name} ${step}`,
      ).toEqual([...wanted].map(([at, some]) => [at, some.length, sumOf(some.filter((row) => row.type === 2)).quota]));
    }
    for (const index of [0, 7, 33, 200, expected.length - 1, expected.length]) {
      const found = await findRowAt(db, { filter, index });
      expect(found?.created_at, `${name} ${index}`).toBe(expected[index]?.created_at);
    }
  }
};

/** The largest spender and the rest together, by each dimension, against the rows themselves. */
const checkDimensions = async (userId = 0, step = day): Promise<void> => {
  const span = { from: begin, before: begin + daysOfLog * day };
  for (const by of ['model_name', 'token_name', 'channel_id', 'user_id'] as const) {
    const consumed = rows.filter((row) => row.type === 2 && (userId === 0 || row.user_id === userId));
    const groups = [...Map.groupBy(consumed, (row) => String(row[by]))]
      .map(([name, some]) => ({ name, rows: some, ...sumOf(some) }))
      .toSorted((one, other) => other.quota - one.quota);
    const query = { filter: { ...everything, userId }, span, by, step };
    const buckets = await sumNamedBuckets(db, { ...query, top: 1 });
    const sumsOf = (name: string | null) => buckets.filter((bucket) => bucket.name === name).reduce(addSums, noSums);
    expect(sumsOf(groups[0]?.name ?? ''), by).toMatchObject(costsOf(groups[0]?.rows ?? []));
    expect(sumsOf(null), by).toMatchObject(costsOf(groups.slice(1).flatMap((group) => group.rows)));
    const named = await sumNames(db, { ...query, names: groups.map(({ name }) => name) });
    expect(Object.fromEntries(named), by).toMatchObject(
      Object.fromEntries(groups.map((group) => [group.name, costsOf(group.rows)])),
    );
  }
};

const sumUntil = async (moment: number): Promise<void> => {
  while (await sumNextHour(db, Math.floor(moment / hour)));
};

const sumByName = async (): Promise<void> => {
  while (await sumNextHourByName(db));
};

/** Hours that charts read from the hour tables. */
const readNamedHours = async (): Promise<readonly HourRange[]> => readSums(db, async ({ hours }) => hours);

/** Texts of the queries of a chart of all calls by hour, whose first hour is a part of one. */
const readChart = async (by: Dimension): Promise<string> => {
  const recorded = recordQueries(db);
  const span = { from: begin + 30 * hour + 17, before: begin + daysOfLog * day };
  await sumNamedBuckets(recorded.db, { filter: everything, span, by, step: hour, top: 1 });
  return recorded
    .take()
    .map((query) => query.sql)
    .join('\n');
};

describe('LOG-06 lists, totals, counts and positions are those of the rows', () => {
  test('while no day is summed', async () => {
    expect(await readSummedDays(db.read)).toEqual([]);
    await checkAll();
    await checkDimensions();
  });

  test('when some days and part of one are summed', async () => {
    await sumUntil(begin + 5 * day);
    // The log begins within a day, which is never read as a whole one.
    expect(await readSummedDays(db.read)).toEqual([{ from: 19_001, before: 19_005 }]);
    await checkAll();
    await checkDimensions();
    await checkDimensions(callers[0].userId);
  });

  test('when an hour is added to its day while sums are read: from whole days', async () => {
    const seen: (readonly SummedDays[])[] = [];
    await readSums(db, async ({ days }) => {
      seen.push(days);
      if (seen.length === 1) await sumNextHour(db, Math.floor((begin + 6 * day) / hour));
    });
    expect(seen).toEqual([[{ from: 19_001, before: 19_005, begun: 5 }], [{ from: 19_001, before: 19_005 }]]);
    await checkAll();
  });

  test('when hours are summed by name, newest day first', async () => {
    const newest = 19_005 * 24;
    expect(await readNamedHours()).toEqual([]);
    expect(await readChart('user_id')).toContain('"log_hours"');
    for (let hours = 0; hours < 4; hours += 1) await sumNextHourByName(db);
    expect(await readNamedHours()).toEqual([{ from: newest, before: newest + 4 }]);
    await checkDimensions(0, hour);
    for (let hours = 0; hours < 30; hours += 1) await sumNextHourByName(db);
    const [part, ...others] = await readNamedHours();
    expect(part?.from).toBe(newest - 48);
    expect(others).toEqual([{ from: newest - 24, before: newest + 6 }]);
    await checkAll();
    await checkDimensions(0, hour);
    await sumByName();
    expect(await readNamedHours()).toEqual([{ from: 19_001 * 24, before: newest + 6 }]);
    await checkDimensions();
  });

  test('when all closed hours are summed, each once', async () => {
    await sumUntil(begin + daysOfLog * day);
    await sumUntil(begin + daysOfLog * day);
    await sumByName();
    await sumByName();
    const { requests } = await db.read
      .selectFrom('log_days')
      .select((eb) => eb.fn.sum<number>('requests').as('requests'))
      .executeTakeFirstOrThrow();
    expect(Number(requests)).toBeLessThanOrEqual(rows.filter((row) => row.type === 2).length);
    await checkAll();
    await checkDimensions();
    await checkDimensions(callers[1].userId);
  });

  test.each(['model_name', 'token_name', 'channel_id', 'user_id'] as const)(
    'K13 and a chart by hour and %s reads no sums of single keys',
    async (by) => {
      expect(await readChart(by)).not.toContain('"log_hours"');
      await checkDimensions(0, hour);
    },
  );

  test('M13 when a row comes days late: its day is summed again, and all other days keep their sums', async () => {
    const late = begin + 6 * day;
    await addUse(db, callers[0], { created_at: late, quota: 99, model_name: 'a', channel_id: 1 });
    await reread();
    await checkNewestDays(db, 4);
    expect(await readSummedDays(db.read)).toEqual([
      { from: 19_001, before: 19_006 },
      { from: 19_007, before: 19_009 },
    ]);
    expect(await readNamedHours()).toEqual([
      { from: 19_001 * 24, before: 19_006 * 24 },
      { from: 19_007 * 24, before: Math.floor(begin / hour) + daysOfLog * 24 },
    ]);
    await checkAll();
    await sumUntil(begin + daysOfLog * day);
    await sumByName();
    await checkNewestDays(db, 4);
    expect(await readSummedDays(db.read)).toEqual([{ from: 19_001, before: 19_009 }]);
    expect(await sumLogs(db, everything)).toEqual(sumOf(rows.filter((row) => row.type === 2)));
    await checkDimensions();
  });

  test.each(['log_days_of_all', 'log_days_of_models'] as const)(
    'N5 when a node of an earlier version summed an hour without %s: its day is summed again',
    async (table) => {
      await db.write.deleteFrom(table).where('day', '=', 19_007).execute();
      await checkNewestDays(db, 4);
      expect(await readSummedDays(db.read)).toEqual([
        { from: 19_001, before: 19_007 },
        { from: 19_008, before: 19_009 },
      ]);
      await checkAll();
      await sumUntil(begin + daysOfLog * day);
      expect(await readSummedDays(db.read)).toEqual([{ from: 19_001, before: 19_009 }]);
      await checkAll();
      await checkDimensions();
    },
  );

  test('N5 when a node of an earlier version summed a day again without the hour tables', async () => {
    const readMark = () =>
      db.read.selectFrom('log_days_summed').selectAll().where('day', '=', 19_007).executeTakeFirstOrThrow();
    const sumAgain = async (): Promise<void> => {
      await sumUntil(begin + daysOfLog * day);
      await sumByName();
      expect(await readMark()).toEqual({ day: 19_007, hours: 24, hours_by_name: 24 });
      await checkDimensions(0, hour);
    };
    await sumByName();
    // That node has found the late row; this one sums the day.
    await addUse(db, callers[0], { created_at: 19_007 * day + 7, quota: 3, model_name: 'a', channel_id: 1 });
    await reread();
    await db.write.updateTable('log_days_summed').set({ hours: 0 }).where('day', '=', 19_007).execute();
    await checkDimensions(0, hour);
    await sumAgain();
    // That node has summed the day, too.
    await addUse(db, callers[0], { created_at: 19_007 * day + 8, quota: 4, model_name: 'b', channel_id: 2 });
    await reread();
    await db.write.updateTable('log_days_summed').set({ hours: 0 }).where('day', '=', 19_007).execute();
    await sumUntil(begin + daysOfLog * day);
    await db.write.updateTable('log_days_summed').set({ hours_by_name: 24 }).where('day', '=', 19_007).execute();
    await checkNewestDays(db, 4);
    expect(await readMark()).toEqual({ day: 19_007, hours: 0, hours_by_name: 0 });
    await sumAgain();
  });

  test('while and after old rows are cleared', async () => {
    const before = begin + 3 * day + 1000;
    await clearOldestLogs(db, before);
    expect(await readSummedDays(db.read)).toEqual([{ from: 19_004, before: 19_009 }]);
    while (await deleteLeftDays(db));
    await reread();
    expect(rows.at(-1)?.created_at).toBeGreaterThanOrEqual(before);
    await checkAll();
    for (const table of dayTables) {
      const left = await db.read.selectFrom(table).select('day').execute();
      expect(left.filter((row) => row.day < 19_003)).toEqual([]);
    }
    for (const table of hourTables) {
      const left = await db.read.selectFrom(table).select('hour').execute();
      expect(left.length, table).toBeGreaterThan(0);
      expect(left.filter((row) => row.hour < 19_003 * 24)).toEqual([]);
    }
  });
});
