import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { addUse } from '../../../test/database/logs.ts';
import { sumNextHour } from './log-days.ts';
import { readSummedDays } from './log-marks.ts';
import { hoursOfDays, sumModelTraffic, topModelUsers } from './model-traffic.ts';

const hour = 3600;
const begin = 19_000 * 24 * hour + 5 * hour;
const uses = 400;
const end = begin + uses * hour;

let db: TestDatabase;
let callers: readonly Caller[];

beforeAll(async () => {
  db = await openTestDatabase();
  callers = [await addCaller(db, 1_000_000), await addCaller(db, 1_000_000), await addCaller(db, 1_000_000)];
  for (let index = 0; index < uses; index += 1) {
    const caller = callers[index % 7 === 0 ? 2 : index % 2];
    if (caller === undefined) throw new Error('no caller');
    await addUse(db, caller, {
      created_at: begin + index * hour,
      token_name: `token-${index % 3}`,
      model_name: index % 7 === 0 ? 'rare' : `model-${index % 3}`,
      channel_id: 1 + (index % 5 === 0 ? 1 : 0),
      quota: 3 + (index % 11),
      prompt_tokens: index,
      completion_tokens: index % 13,
      cost: index % 3 === 1 ? -1 : 1000 + index,
    });
  }
});
afterAll(() => db.close());

const days = 10;
const nowMs = (end - 1) * 1000;

/** The same from the rows of the log. */
const expected = async () => {
  const range = hoursOfDays(days, nowMs);
  const rows = await db.read.selectFrom('logs').selectAll().execute();
  const within = rows.filter(({ created_at: at }) => at >= range.from * hour && at < range.before * hour);
  const sums = new Map<string, { requests: number; quota: number; promptTokens: number; completionTokens: number }>();
  const users = new Map<string, Map<number, number>>();
  for (const { model_name: model, channel_id: channel, user_id: user, ...row } of within) {
    const key = `${model} ${channel}`;
    const known = sums.get(key) ?? { requests: 0, quota: 0, promptTokens: 0, completionTokens: 0 };
    sums.set(key, {
      requests: known.requests + 1,
      quota: known.quota + row.quota,
      promptTokens: known.promptTokens + row.prompt_tokens,
      completionTokens: known.completionTokens + row.completion_tokens,
    });
    const ofModel = users.get(model) ?? new Map<number, number>();
    users.set(model, ofModel.set(user, (ofModel.get(user) ?? 0) + 1));
  }
  return { sums, users };
};

const compare = async (): Promise<void> => {
  const range = hoursOfDays(days, nowMs);
  const { sums, users } = await expected();
  const traffic = await sumModelTraffic(db, range);
  expect(
    new Map(
      traffic.map(({ model, channelId, requests, quota, promptTokens, completionTokens }) => [
        `${model} ${channelId}`,
        { requests, quota, promptTokens, completionTokens },
      ]),
    ),
  ).toEqual(sums);
  expect(traffic.every(({ group }) => group === 'default')).toBe(true);
  // The cost of a third of the calls is not known.
  expect(traffic.find(({ model }) => model === 'model-1')?.cost).toBeNull();
  expect(traffic.find(({ model }) => model === 'model-2')?.cost).toBeGreaterThan(1000);
  const top = await topModelUsers(db, range, 1);
  expect(top.map(({ model }) => model).toSorted()).toEqual([...users.keys()].toSorted());
  for (const { model, userId, requests, users: count } of top) {
    const counts = users.get(model) ?? new Map<number, number>();
    expect(count).toBe(counts.size);
    expect(requests).toBe(Math.max(...counts.values()));
    expect(requests).toBe(counts.get(userId));
  }
};

test('traffic by model, group and channel is that of the log, by the hour and from the sums of days', async () => {
  await compare();
  while (await sumNextHour(db, Math.floor(end / hour) - 3));
  expect((await readSummedDays(db.read)).length).toBeGreaterThan(0);
  await compare();
});
