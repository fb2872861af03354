import { expect, test } from 'vitest';
import { holdFor, settleFor } from '../../../test/database/accounts.ts';
import { createManualTimers } from '../../../test/simulator/manual-timers.ts';
import { watchPosting } from '../../../test/simulator/watch-posting.ts';
import { delay } from '../ledger/event-loop-timers.ts';
import type { Posting, PostingResult } from '../ledger/postings.ts';
import type { PostingUnit } from './posting-queue.ts';
import { createPostingWriter, type BatchOutcome } from './posting-writer.ts';

const callerOf = (userId: number) => ({ userId, tokenId: 0, channelId: 1, tokenLimited: false });
const hold = (requestId: string, userId = 1): Posting => holdFor(callerOf(userId), requestId, 10);
const settlement = (requestId: string, userId = 1): Posting => settleFor(callerOf(userId), requestId, 10);
const result: PostingResult = { outcome: 'done', charged: 10, unrecovered: 0 };

const idOf = ({ posting }: PostingUnit): string => ('requestId' in posting ? posting.requestId : posting.kind);
const userOf = ({ posting }: PostingUnit): number => ('userId' in posting ? posting.userId : 0);

/** How long the database takes for an attempt, in milliseconds. */
const attemptMs = 5;

/** A writer on a database that answers, is away, refuses a posting or has rows that another session locked. */
const openWriter = () => {
  const timers = createManualTimers();
  const database = { away: false, refused: '', locked: 0, takesMs: attemptMs, closed: 0 };
  const attempts: { readonly at: number; readonly ids: string; readonly lockWaitMs: number }[] = [];
  let running = 0;
  const outcomeOf = (units: readonly PostingUnit[], lockWaitMs: number): BatchOutcome => {
    if (database.away) return { kind: 'again' };
    const isLocked = (unit: PostingUnit) => userOf(unit) === database.locked;
    if (lockWaitMs > 0 && units.some(isLocked)) return { kind: 'locked' };
    if (units.some((unit) => idOf(unit) === database.refused)) {
      return { kind: 'failed', error: new Error('a row was refused') };
    }
    return { kind: 'done', results: units.map((unit) => (isLocked(unit) ? undefined : result)) };
  };
  const attempt = async (units: readonly PostingUnit[], lockWaitMs: number) => {
    expect(running).toBe(0);
    running += 1;
    attempts.push({ at: timers.now(), ids: units.map((unit) => idOf(unit)).join(' '), lockWaitMs });
    await delay(timers, database.takesMs);
    running -= 1;
    return outcomeOf(units, lockWaitMs);
  };
  const close = () => {
    database.closed += 1;
    return Promise.resolve();
  };
  const writer = createPostingWriter({ attempt, close, timers });
  const post = (posting: Posting) => watchPosting(writer.post(posting));
  const postMany = (count: number) => Array.from({ length: count }, (_, index) => post(settlement(`r${index}`)));
  return { timers, database, attempts, writer, post, postMany };
};
const triedOf = ({ attempts }: Pick<ReturnType<typeof openWriter>, 'attempts'>) => attempts.map(({ ids }) => ids);

test('M16 postings that come during a commit share the next one, and none is committed twice', async () => {
  const opened = openWriter();
  const { timers, attempts, post } = opened;
  const states = [post(hold('a')), post(hold('b'))];
  await timers.advance(attemptMs - 1);
  states.push(post(hold('c')), post(hold('d')));
  await timers.advance(attemptMs);
  expect(states.map((state) => state())).toEqual(['done', 'done', 'waits', 'waits']);
  await timers.advance(1000);
  expect(states.map((state) => state())).toEqual(['done', 'done', 'done', 'done']);
  expect(triedOf({ attempts })).toEqual(['a b', 'c d']);
});

test('M16 the commit behind a large one waits as long as that took, at most 4 ms, for more postings', async () => {
  const { timers, database, attempts, post, postMany } = openWriter();
  for (const takesMs of [attemptMs, 1]) {
    database.takesMs = takesMs;
    postMany(16);
    await timers.advance(0);
    postMany(15);
    await timers.advance(100);
  }
  const last = post(settlement('last'));
  await timers.advance(1);
  expect(last()).toBe('done');
  expect(attempts.map(({ at, ids }) => [at, ids.split(' ').length])).toEqual([
    [0, 16],
    [attemptMs + 4, 15],
    [100, 16],
    [100 + 1 + 1, 15],
    [200, 1],
  ]);
});

test('M16 the commit behind a small one, or of no fewer than the last, is made at once', async () => {
  const { timers, attempts, postMany } = openWriter();
  postMany(15);
  await timers.advance(0);
  postMany(16);
  await timers.advance(attemptMs);
  postMany(16);
  await timers.advance(attemptMs + 1);
  expect(attempts.map(({ at, ids }) => [at, ids.split(' ').length])).toEqual([
    [0, 15],
    [attemptMs, 16],
    [2 * attemptMs, 16],
  ]);
});

test('M16 a commit that was undone is made again until it is done, and answered once', async () => {
  const { timers, database, attempts, post } = openWriter();
  database.away = true;
  const states = [post(settlement('a')), post(settlement('b', 2))];
  await timers.advance(10 * attemptMs);
  expect(states.map((state) => state())).toEqual(['waits', 'waits']);
  database.away = false;
  await timers.advance(attemptMs);
  expect(states.map((state) => state())).toEqual(['done', 'done']);
  const tries = attempts.length;
  expect(new Set(triedOf({ attempts }))).toEqual(new Set(['a b']));
  await timers.advance(1000);
  expect(attempts.length).toBe(tries);
});

test('M16 a posting that the database refuses fails alone, and the others of its commit are done', async () => {
  const { timers, database, attempts, post } = openWriter();
  database.refused = 'b';
  const states = [post(settlement('a')), post(settlement('b')), post(settlement('c'))];
  await timers.advance(4 * attemptMs);
  expect(states.map((state) => state())).toEqual(['done', 'a row was refused', 'done']);
  expect(triedOf({ attempts })).toEqual(['a b c', 'a', 'b', 'c']);
  const next = post(settlement('d'));
  await timers.advance(attemptMs);
  expect(next()).toBe('done');
});

test('M16 a locked row is waited for once; then all other accounts of the commit pass, and it is tried again later', async () => {
  const { timers, database, attempts, post } = openWriter();
  database.locked = 1;
  const [first, other] = [post(settlement('a1', 1)), post(settlement('b1', 2))];
  await timers.advance(2 * attemptMs);
  expect([first(), other()]).toEqual(['waits', 'done']);
  expect(attempts.map(({ lockWaitMs }) => lockWaitMs > 0)).toEqual([true, false]);
  const [second, third] = [post(settlement('a2', 1)), post(settlement('b2', 2))];
  await timers.advance(attemptMs);
  expect([second(), third()]).toEqual(['waits', 'done']);
  expect(triedOf({ attempts })).toEqual(['a1 b1', 'a1 b1', 'b2']);
  database.locked = 0;
  await timers.advance(200);
  expect([first(), second()]).toEqual(['done', 'done']);
  expect(triedOf({ attempts }).slice(3)).toEqual(['a1 a2']);
  await timers.advance(10_000);
  expect(attempts.length).toBe(4);
});

test('M16 a posting with a locked row that comes beside a refused one is done once the row is free', async () => {
  const { timers, database, post } = openWriter();
  database.refused = 'b';
  database.locked = 3;
  const states = [post(settlement('a', 1)), post(settlement('b', 2)), post(settlement('c', 3))];
  await timers.advance(1000);
  expect(states.map((state) => state())).toEqual(['done', 'a row was refused', 'waits']);
  database.locked = 0;
  await timers.advance(1000);
  expect(states[2]?.()).toBe('done');
});

test('M16 while the database is away holds are refused soon, and settlements are done when it is back', async () => {
  const { timers, database, post } = openWriter();
  // An hour without any posting is no outage.
  await timers.advance(3_600_000);
  database.away = true;
  const [held, settled] = [post(hold('held')), post(settlement('settled'))];
  await timers.advance(1500);
  const late = post(hold('late'));
  await timers.advance(500);
  expect(held()).toBe('waits');
  await timers.advance(200);
  expect([held(), late()]).toEqual(['unavailable', 'waits']);
  await timers.advance(1500);
  expect([late(), settled()]).toEqual(['unavailable', 'waits']);
  await timers.advance(60_000);
  expect(settled()).toBe('waits');
  database.away = false;
  const back = post(hold('back'));
  await timers.advance(100);
  expect([settled(), back()]).toEqual(['done', 'done']);
});

test('M16 a hold that comes during an outage is refused after two seconds, whatever commit was given up before', async () => {
  const { timers, database, post } = openWriter();
  database.away = true;
  const first = post(hold('first'));
  await timers.advance(1900);
  const second = post(hold('second'));
  await timers.advance(300);
  expect([first(), second()]).toEqual(['unavailable', 'waits']);
  await timers.advance(1900);
  expect(second()).toBe('unavailable');
});

test('M16 a database that answers slowly refuses no hold, however many wait', async () => {
  const { timers, database, post } = openWriter();
  database.takesMs = 1500;
  const states = Array.from({ length: 2000 }, (_, index) => post(hold(`slow${index}`)));
  await timers.advance(1500 * 4 + 50);
  expect(new Set(states.map((state) => state()))).toEqual(new Set(['done']));
});

test('M16 on a slow database the others of a refused commit are done too, since it answers all the time', async () => {
  const { timers, database, post } = openWriter();
  database.takesMs = 1500;
  database.refused = 'b';
  const states = [post(hold('a', 1)), post(hold('b', 2)), post(hold('c', 3))];
  await timers.advance(4 * 1500);
  expect(states.map((state) => state())).toEqual(['done', 'a row was refused', 'done']);
});

test('M16 a posting whose caller was refused is not tried again', async () => {
  const { timers, database, attempts, post } = openWriter();
  database.away = true;
  const held = post(hold('held'));
  await timers.advance(2200);
  expect(held()).toBe('unavailable');
  const tries = attempts.length;
  await timers.advance(10_000);
  expect(attempts.length).toBe(tries);
  database.away = false;
  const next = post(hold('next'));
  await timers.advance(attemptMs);
  expect(next()).toBe('done');
});

test('M16 however many refused holds are in front of it, a settlement is done when the database is back', async () => {
  const { timers, database, post } = openWriter();
  database.away = true;
  const holds = Array.from({ length: 1100 }, (_, index) => post(hold(`held${index}`)));
  const settled = post(settlement('settled'));
  await timers.advance(2500);
  expect(new Set(holds.map((state) => state()))).toEqual(new Set(['unavailable']));
  expect(settled()).toBe('waits');
  database.away = false;
  await timers.advance(1000);
  expect(settled()).toBe('done');
});

test('M16 the writer closes once all that came before is done, also what waits for a locked row', async () => {
  for (const locked of [0, 1, 2]) {
    const { timers, database, writer, post } = openWriter();
    database.locked = locked;
    const states = [post(settlement('a', 1))];
    if (locked === 1) await timers.advance(3 * attemptMs);
    if (locked === 2) states.push(post(settlement('b', 2)));
    void writer.close();
    await timers.advance(locked === 0 ? 0 : 1000);
    expect(database.closed).toBe(0);
    database.locked = 0;
    await timers.advance(2000);
    expect(states.map((state) => state())).toEqual(states.map(() => 'done'));
    expect(database.closed).toBe(1);
    expect(timers.pending()).toBe(0);
  }
});

test('a writer with nothing to do closes at once, whether it was used before or not', async () => {
  for (const used of [false, true]) {
    const { timers, database, writer, post } = openWriter();
    const state = used ? post(settlement('a')) : () => 'done';
    await timers.advance(used ? attemptMs : 0);
    expect(state()).toBe('done');
    void writer.close();
    await timers.advance(0);
    expect(database.closed).toBe(1);
    expect(timers.pending()).toBe(0);
  }
});
