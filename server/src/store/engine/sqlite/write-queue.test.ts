import { expect, test } from 'vitest';
import { grantOf, holdFor, settleFor } from '../../../../test/database/accounts.ts';
import { createManualTimers } from '../../../../test/simulator/manual-timers.ts';
import { watchPosting } from '../../../../test/simulator/watch-posting.ts';
import { decodePostings, encodeResults } from '../../ledger/posting-codec.ts';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import { SqliteError } from '../database-error.ts';
import { translate } from './sqlite-writer-link.ts';
import { createWriteQueue, type WriteBatch } from './write-queue.ts';

const caller = { userId: 1, tokenId: 0, channelId: 1, tokenLimited: false };
const hold = (requestId: string): Posting => holdFor(caller, requestId, 10);
const settlement = (requestId: string): Posting => settleFor(caller, requestId, 10);
const release = (requestId: string): Posting => ({ kind: 'release', ...caller, requestId });
const credit = grantOf(5);
const statement = { sql: 'update options set value = 1', parameters: [] };
const done: PostingResult = { outcome: 'done', charged: 10, unrecovered: 0 };

/** As SQLite reports it, in the words of the application. */
const failure = (errcode: number) => translate(new SqliteError({ message: 'no', code: 'ERR_SQLITE_ERROR', errcode }));
const busy = failure(5);
const full = failure(13);
const refusedRow = { message: 'a row was refused', code: 'ERR_SQLITE_ERROR', errcode: 275 };

const openQueue = () => {
  const timers = createManualTimers();
  const queue = createWriteQueue(timers);
  const watch = (made: Promise<unknown>) => watchPosting(made.then(() => done));
  return {
    timers,
    queue,
    post: (posting: Posting) => watchPosting(queue.addPosting(posting)),
    write: () => watch(queue.addStatement(statement)),
  };
};
const postingsOf = ({ message }: WriteBatch): readonly string[] => {
  if (message.kind !== 'batch') throw new Error(`a ${message.kind}`);
  return decodePostings(message.postings).map((posting) => ('requestId' in posting ? posting.requestId : posting.kind));
};
const answerAll = (batch: WriteBatch): void =>
  batch.answer({ units: [], postings: { results: encodeResults(postingsOf(batch).map(() => done)), errors: [] } });

test('M16 while another process has the file every posting waits, and comes first in its order; statements fail', async () => {
  const { timers, queue, post, write } = openQueue();
  const states = [post(hold('a')), post(settlement('b')), post(credit)];
  const written = write();
  const batch = queue.take();
  const later = post(settlement('later'));
  expect(queue.size()).toBe(1);
  expect(batch.fail(busy)).toBe(true);
  await timers.advance(0);
  expect(written()).toBe('unavailable');
  expect(states.map((state) => state())).toEqual(['waits', 'waits', 'waits']);
  expect(queue.size()).toBe(4);
  const again = queue.take();
  expect(postingsOf(again)).toEqual(['a', 'b', 'credit', 'later']);
  expect(again.message).toMatchObject({ statements: [] });
  expect(queue.size()).toBe(0);
  answerAll(again);
  await timers.advance(0);
  expect([...states, later].map((state) => state())).toEqual(['done', 'done', 'done', 'done']);
});

test('M16 a full disk refuses all but what ends a request, which waits for space', async () => {
  const { timers, queue, post, write } = openQueue();
  const refused = [post(hold('held')), write(), post(credit)];
  const ends = [post(settlement('settled')), post(release('released'))];
  expect(queue.size()).toBe(5);
  expect(queue.take().fail(full)).toBe(true);
  await timers.advance(0);
  expect(refused.map((state) => state())).toEqual(['storage_full', 'storage_full', 'storage_full']);
  expect(ends.map((state) => state())).toEqual(['waits', 'waits']);
  const again = queue.take();
  expect(postingsOf(again)).toEqual(['settled', 'released']);
  answerAll(again);
  await timers.advance(0);
  expect(ends.map((state) => state())).toEqual(['done', 'done']);
  post(hold('another'));
  expect(queue.take().fail(full)).toBe(false);
});

test('M16 any other failure of a commit is told to all who wait for it, and nothing of it is tried again', async () => {
  for (const error of [new SqliteError(refusedRow), new Error('a row was refused')]) {
    const { timers, queue, post, write } = openQueue();
    const states = [post(hold('held')), post(settlement('settled')), post(release('released')), write()];
    expect(queue.take().fail(error)).toBe(false);
    await timers.advance(0);
    expect(new Set(states.map((state) => state()))).toEqual(new Set(['a row was refused']));
    expect(queue.size()).toBe(0);
    expect(postingsOf(queue.take())).toEqual([]);
  }
});

test('M16 of one commit each gets its own answer, and what has none is not taken for done', async () => {
  const { timers, queue, post, write } = openQueue();
  const states = [post(settlement('a')), post(settlement('b')), post(settlement('c'))];
  const written = [write(), write(), write()];
  const batch = queue.take();
  expect(batch.message).toMatchObject({ kind: 'batch', statements: [statement, statement, statement] });
  batch.answer({
    units: [{ value: { columns: [], rows: [] } }, { error: refusedRow }],
    postings: {
      results: encodeResults([done, { outcome: 'refused', charged: 0, unrecovered: 0 }]),
      errors: [{ index: 1, error: refusedRow }],
    },
  });
  await timers.advance(0);
  expect(states.map((state) => state())).toEqual(['done', 'a row was refused', 'unavailable']);
  expect(written.map((state) => state())).toEqual(['done', 'a row was refused', 'unavailable']);
});

test('M16 an answer without any results leaves no caller waiting', async () => {
  const { timers, queue, post, write } = openQueue();
  const states = [post(settlement('a')), write()];
  queue.take().answer({});
  await timers.advance(0);
  expect(states.map((state) => state())).toEqual(['unavailable', 'unavailable']);
});

test('M16 a file that another process keeps refuses new work after two seconds, and settlements are done afterwards', async () => {
  const { timers, queue, post } = openQueue();
  await timers.advance(60_000);
  const [held, settled] = [post(hold('held')), post(settlement('settled'))];
  const failFor = async (ms: number) => {
    for (let waited = 0; waited < ms; waited += 100) {
      expect(queue.take().fail(busy)).toBe(true);
      await timers.advance(100);
    }
  };
  await failFor(2000);
  expect([held(), settled()]).toEqual(['waits', 'waits']);
  await failFor(100);
  expect([held(), settled()]).toEqual(['unavailable', 'waits']);
  await failFor(60_000);
  const again = queue.take();
  expect(postingsOf(again)).toEqual(['settled']);
  answerAll(again);
  await timers.advance(0);
  expect(settled()).toBe('done');
});

test('M16 new work is refused for the outage, not for the queue: a commit that was made begins a new time', async () => {
  const { timers, queue, post } = openQueue();
  post(settlement('tried'));
  expect(queue.take().fail(busy)).toBe(true);
  await timers.advance(1500);
  const held = post(hold('held'));
  await timers.advance(500);
  answerAll(queue.take());
  const waiting = post(hold('waiting'));
  for (let waited = 0; waited < 5000; waited += 500) {
    queue.take();
    await timers.advance(500);
  }
  expect([held(), waiting()]).toEqual(['done', 'waits']);
  queue.close();
  expect(timers.pending()).toBe(0);
});

test('M16 a hold that was refused during a commit is not tried again', async () => {
  const { timers, queue, post } = openQueue();
  const [held, settled] = [post(hold('held')), post(settlement('settled'))];
  expect(queue.take().fail(busy)).toBe(true);
  const running = queue.take();
  await timers.advance(2100);
  expect(held()).toBe('unavailable');
  expect(running.fail(busy)).toBe(true);
  expect(postingsOf(queue.take())).toEqual(['settled']);
  expect(settled()).toBe('waits');
});
