import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCaller, type Caller, logFor, settleFor } from '../../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/database/database.ts';
import { clockIn, instantOf } from './local-time.ts';
import { createMonthlyVolumes, monthOf } from './monthly-volumes.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const at = (text: string): number => Date.parse(text);

describe('the month of an instant in a time zone', () => {
  test.each([
    ['UTC', '2026-02-28T23:59:59Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    // 5:45 hours ahead.
    ['Asia/Kathmandu', '2026-02-28T18:15:00Z', '2026-02-28T18:15:00Z', '2026-03-31T18:15:00Z'],
    ['Asia/Kathmandu', '2026-02-28T18:14:59Z', '2026-01-31T18:15:00Z', '2026-02-28T18:15:00Z'],
    // Summer time begins and ends within these.
    ['Europe/Berlin', '2026-03-31T21:59:59Z', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['America/New_York', '2026-11-15T00:00:00Z', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['Pacific/Auckland', '2026-12-31T11:00:00Z', '2026-12-31T11:00:00Z', '2027-01-31T11:00:00Z'],
  ])('%s at %s', (zone, instant, from, before) => {
    expect(monthOf(zone, at(instant))).toEqual({ from: at(from) / 1000, before: at(before) / 1000 });
  });

  test('every hour of three years is in its month, and months follow each other', () => {
    for (const zone of ['America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata']) {
      for (let hour = at('2025-01-01T00:30:00Z'); hour < at('2028-01-01T00:00:00Z'); hour += 37 * 3_600_000) {
        const { from, before } = monthOf(zone, hour);
        expect(hour >= from * 1000 && hour < before * 1000, `${zone} ${hour}`).toBe(true);
        expect(monthOf(zone, before * 1000).from).toBe(before);
        expect(new Date(clockIn(zone, from * 1000)).getUTCDate()).toBe(1);
      }
    }
  });

  test('a time that the clock jumps over is a moment after the jump', () => {
    // 2026-03-29 02:30 does not exist in Berlin.
    const instant = instantOf('Europe/Berlin', Date.UTC(2026, 2, 29, 2, 30));
    expect(Math.abs(instant - at('2026-03-29T01:00:00Z'))).toBeLessThanOrEqual(30 * 60_000);
  });
});

let calls = 0;
/** A call of 70 and 30 tokens that was charged. */
const addUse = async (caller: Caller, model_name: string, time: string): Promise<void> => {
  const id = `volume-${(calls += 1)}`;
  const tokens = { prompt_tokens: 70, completion_tokens: 30 };
  const log = { ...logFor(caller, id, 1), model_name, ...tokens, created_at: at(time) / 1000 };
  await db.post({ ...settleFor(caller, id, 1), log });
};

test('tokens of the month are read once, counted from then on, and those of other users, models and months left out', async () => {
  const [caller, other] = [await addCaller(db, 1_000_000), await addCaller(db, 1_000_000)];
  const nowMs = at('2026-11-20T12:00:00Z');
  for (const time of ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-19T10:00:00Z'])
    await addUse(caller, 'm', time);
  await addUse(caller, 'n', '2026-11-19T10:00:00Z');
  await addUse(other, 'm', '2026-11-19T10:00:00Z');
  const volumes = createMonthlyVolumes(db);
  const key = { userId: caller.userId, model: 'm', zone: 'UTC' };
  await volumes.ready(key, nowMs);
  expect(volumes.tokens(key)).toBe(200);
  volumes.add({ userId: caller.userId, model: 'm', tokens: 11 });
  volumes.add({ userId: caller.userId, model: 'n', tokens: 1000 });
  expect([volumes.ready(key, nowMs), volumes.tokens(key)]).toEqual([null, 211]);
  // The next month begins with nothing.
  const later = at('2026-12-01T00:00:00Z');
  await volumes.ready(key, later);
  expect(volumes.tokens(key)).toBe(0);
});
