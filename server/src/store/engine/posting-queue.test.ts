import { expect, test } from 'vitest';
import { grantOf, holdFor, settleFor } from '../../../test/database/accounts.ts';
import { createManualTimers } from '../../../test/simulator/manual-timers.ts';
import { watchPosting } from '../../../test/simulator/watch-posting.ts';
import type { Posting } from '../ledger/postings.ts';
import { createPostingQueue, type PostingBatch, type PostingUnit } from './posting-queue.ts';

const max = 100;
const callerOf = (userId: number) => ({ userId, tokenId: 0, channelId: 1, tokenLimited: false });
const hold = (requestId: string, userId = 1): Posting => holdFor(callerOf(userId), requestId, 10);
const settlement = (requestId: string, userId = 1): Posting => settleFor(callerOf(userId), requestId, 10);
const progress = (requestId: string): Posting => ({ kind: 'progress', requestId, progress: 1 });
const credit = grantOf(5);
const newWork: readonly Posting[] = [
  hold('hold'),
  { kind: 'extend', ...callerOf(1), requestId: 'extend', amount: 20 },
  { kind: 'look', userId: 1, tokenId: 0 },
];
const otherWork: readonly Posting[] = [
  settlement('settled'),
  { kind: 'release', ...callerOf(1), requestId: 'released' },
  progress('progress'),
  credit,
];
const result = { outcome: 'done', charged: 10, unrecovered: 0 } as const;

const idOf = ({ posting }: PostingUnit): string => ('requestId' in posting ? posting.requestId : posting.kind);
const idsOf = ({ units }: Pick<PostingBatch, 'units'>): readonly string[] => units.map((unit) => idOf(unit));

const openQueue = () => {
  const timers = createManualTimers();
  let awaySince: number | undefined;
  const queue = createPostingQueue(timers, () => awaySince ?? timers.now());
  return {
    timers,
    queue,
    /** The database answers nothing any more. */
    goAway: () => void (awaySince = timers.now()),
    post: (posting: Posting) => watchPosting(queue.add(posting)),
  };
};

test('M16 while the database is away new paid work is refused after two seconds, all else after two minutes', async () => {
  const { timers, goAway, post } = openQueue();
  goAway();
  const refusedSoon = newWork.map(post);
  const waitLong = otherWork.map(post);
  const states = () => new Set([...refusedSoon, ...waitLong].map((state) => state()));
  await timers.advance(2000);
  expect(states()).toEqual(new Set(['waits']));
  await timers.advance(100);
  expect(new Set(refusedSoon.map((state) => state()))).toEqual(new Set(['unavailable']));
  await timers.advance(117_900);
  expect(new Set(waitLong.map((state) => state()))).toEqual(new Set(['waits']));
  await timers.advance(100);
  expect(states()).toEqual(new Set(['unavailable']));
});

test('M16 new work is refused for an outage of more than two seconds alone, however long it waits itself', async () => {
  const { timers, goAway, post } = openQueue();
  const early = post(hold('early'));
  await timers.advance(1000);
  goAway();
  await timers.advance(2000);
  expect(early()).toBe('waits');
  await timers.advance(100);
  expect(early()).toBe('unavailable');
  const late = post(hold('late'));
  await timers.advance(2000);
  expect(late()).toBe('waits');
  await timers.advance(100);
  expect(late()).toBe('unavailable');
});

test('M16 a long queue alone refuses no work for two minutes', async () => {
  const { timers, post } = openQueue();
  const slow = [post(hold('slow')), post(settlement('slow too'))];
  await timers.advance(120_000);
  expect(slow.map((state) => state())).toEqual(['waits', 'waits']);
  await timers.advance(100);
  expect(slow.map((state) => state())).toEqual(['unavailable', 'unavailable']);
});

test('M16 the time in which the process itself stood still counts for no posting', async () => {
  const { timers, goAway, post } = openQueue();
  goAway();
  const [held, settled] = [post(hold('held')), post(settlement('settled'))];
  await timers.standStill(300_000);
  expect([held(), settled()]).toEqual(['waits', 'waits']);
  await timers.advance(2000);
  expect(held()).toBe('waits');
  await timers.advance(100);
  expect([held(), settled()]).toEqual(['unavailable', 'waits']);
  await timers.advance(117_900);
  expect(settled()).toBe('waits');
  await timers.advance(100);
  expect(settled()).toBe('unavailable');
});

test('one timer serves all that waits, and none is set where nothing waits', async () => {
  const { timers, queue, post } = openQueue();
  post(hold('one'));
  post(hold('two'));
  expect(timers.pending()).toBe(1);
  for (const unit of queue.take(max).units) unit.resolve(result);
  await timers.advance(100);
  expect(timers.pending()).toBe(0);
  post(hold('three'));
  expect(timers.pending()).toBe(1);
  queue.close();
  expect(timers.pending()).toBe(0);
});

test('M16 what a commit left undone comes first in the next, in the order it came, and what was answered not again', async () => {
  const { queue, timers, post } = openQueue();
  const states = ['a', 'b', 'c', 'd', 'e'].map((id) => post(settlement(id)));
  const batch = queue.take(4);
  expect(idsOf(batch)).toEqual(['a', 'b', 'c', 'd']);
  expect(queue.size()).toBe(1);
  batch.units[1]?.resolve(result);
  batch.units[3]?.reject(new Error('refused'));
  queue.putBack(batch.units.toReversed());
  expect(queue.size()).toBe(3);
  expect(idsOf(queue.take(max))).toEqual(['a', 'c', 'e']);
  queue.putBack([]);
  expect(queue.size()).toBe(0);
  await timers.advance(0);
  expect(states.map((state) => state())).toEqual(['waits', 'done', 'waits', 'refused', 'waits']);
});

test('M16 a hold that was refused while it waited is not posted any more', async () => {
  const { queue, timers, goAway, post } = openQueue();
  goAway();
  post(hold('held'));
  post(settlement('settled'));
  await timers.advance(2100);
  const { units } = queue.take(max);
  expect(idsOf({ units })).toEqual(['settled']);
  expect(units[0]?.waits).toBe(true);
  units[0]?.resolve(result);
  expect(units[0]?.waits).toBe(false);
});

test('M16 an account with a row that is locked elsewhere waits apart, keeps its order, and no other account waits', async () => {
  const { queue, timers, post } = openQueue();
  post(settlement('a1', 1));
  post(settlement('b1', 2));
  post(settlement('a2', 1));
  const [a1, b1, a2] = queue.take(max).units;
  if (a1 === undefined || b1 === undefined || a2 === undefined) throw new Error('not all were taken');
  b1.resolve(result);
  queue.setApart([a2, a1]);
  post(settlement('a3', 1));
  post(settlement('b2', 2));
  expect(idsOf(queue.take(max))).toEqual(['b2']);
  expect(queue.size()).toBe(0);
  const dueIn = queue.apartDueIn() ?? 0;
  expect(dueIn).toBeGreaterThan(0);
  await timers.advance(dueIn - 1);
  queue.setApart([]);
  post(settlement('c1', 3));
  expect(idsOf(queue.take(max))).toEqual(['c1']);
  expect(queue.apartDueIn()).toBe(1);
  await timers.advance(1);
  expect(queue.apartDueIn()).toBe(0);
  post(settlement('c2', 3));
  expect(idsOf(queue.take(2))).toEqual(['a1', 'a2']);
  expect(idsOf(queue.take(2))).toEqual(['a3']);
  expect(queue.apartDueIn()).toBeUndefined();
  expect(idsOf(queue.take(2))).toEqual(['c2']);
});

test('M16 each try of a locked account waits longer for the row, and the others have four fifths of the time', async () => {
  const { queue, timers, post } = openQueue();
  post(settlement('locked'));
  let batch = queue.take(max);
  const shared = batch.lockWaitMs;
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    queue.setApart(batch.units);
    const pause = queue.apartDueIn() ?? 0;
    if (tries > 0) expect(pause).toBe(4 * batch.lockWaitMs);
    await timers.advance(pause);
    batch = queue.take(max);
    expect(idsOf(batch)).toEqual(['locked']);
    waits.push(batch.lockWaitMs);
  }
  expect(waits).toEqual([20, 40, 80, 160, 240, 240, 240, 240]);
  for (const unit of batch.units) unit.resolve(result);
  post(settlement('another', 2));
  batch = queue.take(max);
  expect(batch.lockWaitMs).toBe(shared);
  queue.setApart(batch.units);
  await timers.advance(queue.apartDueIn() ?? 0);
  expect(queue.take(max).lockWaitMs).toBe(20);
});

test('M16 new work of a locked account is refused after two seconds although the database answers, its ends wait', async () => {
  const { queue, timers, post } = openQueue();
  const [held, settled, other] = [post(hold('held')), post(settlement('settled')), post(hold('other', 2))];
  const { units } = queue.take(max);
  queue.setApart(units.slice(0, 2));
  await timers.advance(2000);
  expect([held(), settled(), other()]).toEqual(['waits', 'waits', 'waits']);
  await timers.advance(100);
  expect([held(), settled(), other()]).toEqual(['unavailable', 'waits', 'waits']);
  expect(idsOf(queue.take(max))).toEqual(['settled']);
});

test('postings that name no account never wait for one another', () => {
  const { queue, post } = openQueue();
  post(progress('stream 1'));
  queue.setApart(queue.take(max).units);
  post(progress('stream 2'));
  expect(idsOf(queue.take(max))).toEqual(['stream 2']);
});
