import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, type Caller, setUser } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import type { LogFilter } from './log-filter.ts';
import { type LogRow, listLogs, sumLogs } from './logs.ts';

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
const hour = 3600;
const firstHour = 480_000;

/** Pseudo-random picks, the same at every run. */
const createPick = (seed: number) => {
  let state = seed;
  return <Value>(...values: readonly [Value, ...Value[]]): Value => {
    state = (state * 48_271) % 2_147_483_647;
    return values[state % values.length] ?? values[0];
  };
};
type Pick = ReturnType<typeof createPick>;

let db: TestDatabase;
let callers: [Caller, Caller, Caller];
let rows: LogRow[];

const addRow = (pick: Pick): Promise<void> => {
  const caller = pick(...callers);
  const values = {
    created_at: (firstHour + pick(0, 1, 2, 3, 4, 5)) * hour + pick(0, 1, 1800, hour - 1),
    token_name: pick('token0', 'token1', 'token2'),
    model_name: pick('model0', 'model1', 'model2'),
    channel_id: pick(1, 2, 3),
  };
  if (pick(true, false, false, false, false)) {
    return addNote(db, { ...values, user_id: caller.userId, type: pick(1, 3, 4, 5) });
  }
  return addUse(db, caller, {
    ...values,
    quota: pick(1, 7, 50),
    prompt_tokens: pick(0, 3),
    completion_tokens: pick(0, 9),
  });
};

beforeAll(async () => {
  db = await openTestDatabase();
  callers = await Promise.all([addCaller(db, 100_000), addCaller(db, 100_000), addCaller(db, 100_000)]);
  const pick = createPick(7);
  for (let row = 0; row < 300; row += 1) await addRow(pick);
  rows = await db.read.selectFrom('logs').selectAll().orderBy('id').execute();
});
afterAll(() => db.close());

const matches = (row: LogRow, filter: LogFilter): boolean =>
  (filter.userId === 0 || row.user_id === filter.userId) &&
  (filter.type === 0 || row.type === filter.type) &&
  (filter.tokenName === '' || row.token_name === filter.tokenName) &&
  (filter.modelName === '' || row.model_name === filter.modelName) &&
  (filter.channelId === 0 || row.channel_id === filter.channelId) &&
  (filter.start === 0 || row.created_at >= filter.start) &&
  (filter.end === 0 || row.created_at <= filter.end);

const times = [
  0,
  0,
  firstHour * hour,
  firstHour * hour + 1,
  (firstHour + 2) * hour,
  (firstHour + 4) * hour - 1,
] as const;

/** No filter, and many of them together. */
const filters = (): LogFilter[] => {
  const pick = createPick(11);
  const [one, two, three] = callers;
  const combined = Array.from({ length: 120 }, () => ({
    userId: pick(0, one.userId, two.userId, three.userId),
    type: pick(0, 0, 2, 3, 5),
    tokenName: pick('', '', 'token0', 'token1', 'none'),
    tokenId: 0,
    modelName: pick('', '', 'model0', 'model2'),
    channelId: pick(0, 0, 1, 3),
    start: pick(...times),
    end: pick(...times),
  }));
  return [everything, ...combined];
};

const readAll = async (filter: LogFilter): Promise<number[]> => {
  const ids: number[] = [];
  for (let page = 0; ; page += 1) {
    const read = await listLogs(db, { filter, page, reader: 1 });
    ids.push(...read.map((row) => row.id));
    if (read.length < 10) return ids;
  }
};

test('LOG-01 page after page, each filter and every combination shows each matching row once', async () => {
  for (const filter of filters()) {
    const expected = rows.filter((row) => matches(row, filter)).map((row) => row.id);
    const read = await readAll(filter);
    expect(
      read.toSorted((one, other) => one - other),
      JSON.stringify(filter),
    ).toEqual(expected);
  }
});

test('LOG-03 rows come newest first', async () => {
  const byId = await readAll(everything);
  expect(byId).toEqual(rows.map((row) => row.id).toReversed());
  const newestFirst = rows
    .filter((row) => row.model_name === 'model1')
    .toSorted((one, other) => other.created_at - one.created_at || other.id - one.id);
  expect(await readAll({ ...everything, modelName: 'model1' })).toEqual(newestFirst.map((row) => row.id));
});

test('LOG-02 the total is the sum of the consumption that the list shows, whatever the filter', async () => {
  for (const filter of filters()) {
    const consumed = rows.filter((row) => row.type === 2 && matches(row, { ...filter, type: 0 }));
    const expected = {
      quota: consumed.reduce((sum, row) => sum + row.quota, 0),
      tokens: consumed.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
    };
    expect(await sumLogs(db, filter), JSON.stringify(filter)).toEqual(expected);
  }
});

test('LOG-01 rows of a user are found after a rename, and keep the name of their time', async () => {
  const filter = { ...everything, userId: callers[0].userId };
  const before = await readAll(filter);
  await setUser(db, filter.userId, { username: 'renamed' });
  expect(await readAll(filter)).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
});
