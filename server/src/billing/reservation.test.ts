import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, type Caller } from '../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { type Changes, openChanges } from '../store/nodes/changes.ts';
import type { Posting, PostingResult } from '../store/ledger/postings.ts';
import { createAccounts, type Accounts } from './accounts.ts';

const details = { channelId: 1, priceVersion: 1, modelName: 'model', openedAt: 1_700_000_000 };

let db: TestDatabase;
let accounts: Accounts;
let changes: Changes;
/** The outcomes of the posted holds. */
const holds: Promise<PostingResult>[] = [];
const heldRequests: string[] = [];
/** What the database does not take: the kind of the posting and its request. */
const unanswered = new Set<string>();
const errors: unknown[] = [];

beforeAll(async () => {
  db = await openTestDatabase();
  const post = (posting: Posting) => {
    if ('requestId' in posting && unanswered.has(`${posting.kind} ${posting.requestId}`))
      return Promise.reject(new Error('away'));
    const result = db.post(posting);
    if (posting.kind === 'hold') {
      holds.push(result);
      heldRequests.push(posting.requestId);
    }
    return result;
  };
  const onError = (error: unknown) => void errors.push(error);
  changes = await openChanges({});
  accounts = createAccounts({ db: { kind: db.kind, post }, changes, onError });
});
afterAll(async () => {
  accounts.close();
  await db.close();
});

/** An operator takes quota away; this process does not know of it yet. */
const take = ({ userId }: Caller, amount: number) => {
  const posting = {
    opKey: `adjust:${randomUUID()}`,
    userId,
    amount: -amount,
    actorId: 1,
    reason: '',
    at: 1,
    log: null,
  };
  return db.post({ kind: 'credit', entry: 'adjust', ...posting });
};

/** The period of a budget with an amount for it. */
const addPeriod = async (granted: number): Promise<number> => {
  const values = { budget_id: randomInt(1e9), starts_at: 0, ends_at: 1, granted, held: 0, used: 0 };
  return (await db.write.insertInto('budget_periods').values(values).returning('id').executeTakeFirstOrThrow()).id;
};

test('RELAY-07 L8 what a running request set aside stays its own where its hold is refused', async () => {
  const caller = await addCaller(db, 100, 1000);
  await accounts.ready(caller);
  const reservation = accounts.reserve({ requestId: 'kept', payer: caller, amount: 80 });
  await take(caller, 50);
  reservation?.deferHold(details);
  await expect.poll(() => holds.length).toBe(1);
  expect((await holds[0])?.outcome).toBe('refused');
  await accounts.reload(caller);
  expect(accounts.free(caller)).toMatchObject({ user: 0, token: 920 });
  expect(accounts.reserve({ requestId: 'another', payer: caller, amount: 1 })).toBeNull();
  const charge = { amount: 50, channelId: 1, priceVersion: 1, estimated: false, at: 1_700_000_000, log: null };
  expect(await reservation?.settle(charge)).toMatchObject({ charged: 50, unrecovered: 0 });
  expect(accounts.free(caller)).toMatchObject({ user: 0, token: 950 });
  expect(errors).toEqual([]);
});

test('RELAY-07 L4 nothing stays reserved of a request whose hold is refused while its extension fails', async () => {
  const caller = await addCaller(db, 100, 1000);
  await accounts.ready(caller);
  const reservation = accounts.reserve({ requestId: 'refused', payer: caller, amount: 80 });
  await take(caller, 50);
  unanswered.add('extend refused');
  const held = reservation?.hold(details);
  await expect(reservation?.extend(10)).rejects.toThrow('away');
  expect(await held).toBe(false);
  await accounts.reload(caller);
  expect(accounts.free(caller)).toMatchObject({ user: 50, token: 1000 });
});

test('RELAY-07 G2 what is read before a refusal includes a change that was heard of during the read', async () => {
  const caller = await addCaller(db, 100, 1000);
  await accounts.ready(caller);
  const reading = accounts.reload(caller);
  changes.publish({ topic: 'user', id: caller.userId });
  await reading;
  // Known as it is: else it would have to be read once more.
  expect(accounts.ready(caller)).toBeNull();
  expect(accounts.free(caller)).toMatchObject({ user: 100 });
});

const holdOf = (requestId: string) =>
  db.read.selectFrom('holds').select(['amount', 'progress']).where('request_id', '=', requestId).executeTakeFirst();
const reserve = async (caller: Caller, requestId: string, amount: number) => {
  await accounts.ready(caller);
  const reservation = accounts.reserve({ requestId, payer: caller, amount });
  if (reservation === null) throw new Error('not reserved');
  return reservation;
};

test('M16 an extension is reserved in memory at once, and in the hold to the unit, also after a refused one', async () => {
  const caller = await addCaller(db, 100);
  const reservation = await reserve(caller, 'extended', 40);
  expect(await reservation.hold(details)).toBe(true);
  // Once more: it is there already.
  expect(await reservation.hold(details)).toBe(true);
  const extending = reservation.extend(10);
  expect(accounts.free(caller).user).toBe(50);
  expect(await extending).toBe(true);
  expect(await reservation.extend(51)).toBe(false);
  await take(caller, 30);
  // In memory it is free, in the database it is not.
  expect(await reservation.extend(40)).toBe(false);
  expect(await reservation.extend(20)).toBe(true);
  expect(await holdOf('extended')).toEqual({ amount: 70, progress: 0 });
  await reservation.progress(33);
  expect(await holdOf('extended')).toEqual({ amount: 70, progress: 33 });
  expect(reservation.history()).toEqual({ reserved: 40, extensions: 2 });
  expect(reservation.amount()).toBe(70);
  await reservation.release();
  expect(await holdOf('extended')).toBeUndefined();
  expect(await reservation.extend(1)).toBe(false);
  expect(await reservation.hold(details)).toBe(false);
  expect(accounts.free(caller).user).toBe(70);
});

test('M16 what is not free is no extension, before there is a hold too', async () => {
  const caller = await addCaller(db, 100);
  const reservation = await reserve(caller, 'not held yet', 40);
  expect(await reservation.extend(61)).toBe(false);
  expect(await reservation.extend(60)).toBe(true);
  expect(reservation.amount()).toBe(100);
  expect(accounts.free(caller).user).toBe(0);
  await reservation.release();
  expect(accounts.free(caller).user).toBe(100);
});

test('M16 a deferred hold is posted once, with its extension, and its amount leaves memory once', async () => {
  const caller = await addCaller(db, 100);
  const reservation = await reserve(caller, 'deferred', 40);
  reservation.deferHold(details);
  expect(await reservation.extend(10)).toBe(true);
  expect(await holdOf('deferred')).toEqual({ amount: 50, progress: 0 });
  // Longer than a deferred hold waits: others that came after it are written.
  const other = await reserve(caller, 'other', 5);
  other.deferHold(details);
  await expect.poll(() => heldRequests).toContain('other');
  await Promise.all(holds);
  expect(heldRequests.filter((id) => id === 'deferred')).toHaveLength(1);
  expect(accounts.free(caller).user).toBe(45);
  expect(await reservation.extend(5)).toBe(true);
  expect(await holdOf('deferred')).toEqual({ amount: 55, progress: 0 });
  await Promise.all([reservation.release(), other.release()]);
  expect(accounts.free(caller).user).toBe(100);
});

const charge = { channelId: 1, priceVersion: 1, estimated: false, at: 1_700_000_000, log: null };

test('RELAY-07 a whole answer that other nodes left no quota for is refused by its charge, on PostgreSQL alone', async () => {
  const caller = await addCaller(db, 1000);
  const reservation = await reserve(caller, 'spent elsewhere', 40);
  reservation.deferHold(details);
  await take(caller, 990);
  const result = await reservation.settle({ ...charge, amount: 30 });
  expect(result).toMatchObject(
    db.kind === 'postgres' ? { outcome: 'refused', charged: 0 } : { outcome: 'done', charged: 10, unrecovered: 20 },
  );
  expect(reservation.isEnded()).toBe(true);
  expect(await reservation.settle({ ...charge, amount: 30 })).toBeNull();
  expect(accounts.free(caller).user).toBe(db.kind === 'postgres' ? 10 : 0);
});

test('RELAY-07 an answer that turns out to be a stream is not sent where its hold was refused meanwhile', async () => {
  const caller = await addCaller(db, 100);
  const reservation = await reserve(caller, 'a stream after all', 80);
  await take(caller, 50);
  reservation.deferHold(details);
  await expect.poll(() => heldRequests).toContain('a stream after all');
  expect(await reservation.hold(details)).toBe(false);
  expect(reservation.isEnded()).toBe(true);
  await accounts.reload(caller);
  expect(accounts.free(caller).user).toBe(50);
});

test('RELAY-07 a hold waits where the balances have enough to spare, or no other node spends them', async () => {
  const isShared = db.kind === 'postgres';
  const unlimited = await addCaller(db, 1000);
  await accounts.ready(unlimited);
  expect(accounts.mayDefer(unlimited, 10)).toBe(true);
  expect(accounts.mayDefer(unlimited, 11)).toBe(!isShared);
  // Other nodes may have set aside as much as this one.
  const running = await reserve(unlimited, 'running', 112);
  expect(accounts.mayDefer(unlimited, 1)).toBe(!isShared);
  await running.release();
  expect(accounts.mayDefer(unlimited, 1)).toBe(true);
  const limited = await addCaller(db, 1000, 500);
  await accounts.ready(limited);
  expect(accounts.mayDefer(limited, 5)).toBe(true);
  expect(accounts.mayDefer(limited, 6)).toBe(!isShared);
  // A budget that is only counted refuses no call.
  const period = await addPeriod(300);
  const hard = { ...unlimited, budgets: String(period) };
  const counted = { ...unlimited, budgets: `~${period}` };
  await accounts.ready(hard);
  expect(accounts.mayDefer(hard, 3)).toBe(true);
  expect(accounts.mayDefer(hard, 4)).toBe(!isShared);
  await accounts.ready(counted);
  expect(accounts.mayDefer(counted, 4)).toBe(true);
});

test('RELAY-07 no hold waits on PostgreSQL while the database does not answer', async () => {
  const caller = await addCaller(db, 1000);
  const reservation = await reserve(caller, 'unanswered', 10);
  expect(await reservation.hold(details)).toBe(true);
  unanswered.add('extend unanswered');
  await expect(reservation.extend(1)).rejects.toThrow('away');
  await accounts.ready(caller);
  expect(accounts.mayDefer(caller, 1)).toBe(true);
  unanswered.add('extend unanswered again');
  const other = await reserve(caller, 'unanswered again', 10);
  expect(await other.hold(details)).toBe(true);
  await expect(other.extend(1)).rejects.toThrow('away');
  expect(accounts.mayDefer(caller, 1)).toBe(db.kind === 'sqlite');
  await other.release();
  expect(accounts.mayDefer(caller, 1)).toBe(true);
  await reservation.release();
});

test('M16 a hold of nothing is written with its first extension', async () => {
  const caller = await addCaller(db, 100);
  const reservation = await reserve(caller, 'free at first', 0);
  expect(await reservation.hold(details)).toBe(true);
  expect(await holdOf('free at first')).toBeUndefined();
  expect(await reservation.extend(10)).toBe(true);
  expect(await holdOf('free at first')).toEqual({ amount: 10, progress: 0 });
  await reservation.release();
});

test('RELAY-07 each balance is read anew after a posting whose answer was lost', async () => {
  const caller = await addCaller(db, 1000, 500);
  const period = await addPeriod(300);
  const payer = { ...caller, budgets: String(period) };
  const reservation = await reserve(payer, 'answer lost', 10);
  expect(accounts.reservedIn(period)).toBe(10);
  expect(await reservation.hold(details)).toBe(true);
  expect(accounts.reservedIn(period)).toBe(0);
  expect(accounts.remain(payer)).toBe(500);
  await take(caller, 100);
  const allocation = { opKey: `edited:${caller.tokenId}`, unlimited: false, remain: 200, actorId: 1, at: 1 };
  await db.post({ kind: 'allocate', userId: caller.userId, tokenId: caller.tokenId, ...allocation });
  await db.write.updateTable('budget_periods').set({ granted: 100 }).where('id', '=', period).execute();
  await accounts.ready(payer);
  expect(accounts.free(payer)).toMatchObject({ user: 990, token: 490, budget: 290 });
  unanswered.add('extend answer lost');
  await expect(reservation.extend(1)).rejects.toThrow('away');
  await accounts.ready(payer);
  // What was asked for may have been taken: it stays reserved.
  expect(accounts.free(payer)).toMatchObject({ user: 889, token: 189, budget: 89 });
  // Its request goes on: the hold stays.
  expect(accounts.leftHolds.has('answer lost')).toBe(false);
  unanswered.add('settle answer lost');
  await expect(reservation.settle({ ...charge, amount: 5 })).rejects.toThrow('away');
  expect(accounts.leftHolds.has('answer lost')).toBe(true);
  await accounts.ready(payer);
  await take(caller, 90);
  expect(accounts.free(payer).user).toBe(890);
  accounts.invalidate();
  await accounts.ready(payer);
  expect(accounts.free(payer)).toMatchObject({ user: 800, token: 190, budget: 90 });
});
