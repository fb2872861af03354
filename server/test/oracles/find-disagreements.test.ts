import { afterEach, beforeEach, expect, test } from 'vitest';
import { addCaller, holdFor, settleFor, type Caller } from '../database/accounts.ts';
import { type ClientEntry, namelessEntry } from '../clients/client-entry.ts';
import { promptTokens, textTokens } from './count-tokens.ts';
import { openTestDatabase, type TestDatabase } from '../database/database.ts';
import { madeText } from '../fakes/fake-upstream.ts';
import type { UpstreamEntry } from '../fakes/fake-upstream-journal.ts';
import { buildRelayApp, testPrice } from '../app/relay-app.ts';
import { findDisagreements } from './find-disagreements.ts';

let db: TestDatabase;
let caller: Caller;
beforeEach(async () => {
  db = await openTestDatabase();
  caller = await addCaller(db, 1000, 500);
});
afterEach(() => db.close());

const client = (name: string, values: Partial<ClientEntry> = {}): ClientEntry => ({
  ...namelessEntry(`nonce-${name}`),
  requestId: name,
  status: 200,
  bytes: 10,
  complete: true,
  ...values,
});

/** Answered with 10 prompt and 10 completion tokens: 30 units. */
const served = (name: string, values: Partial<UpstreamEntry> = {}): UpstreamEntry => ({
  id: 0,
  path: '',
  headers: {},
  body: Buffer.alloc(0),
  request: { model: 'm', stream: false, includeUsage: false, maxTokens: null, prompt: '', nonce: `nonce-${name}` },
  fault: undefined,
  status: 200,
  usage: { prompt_tokens: 10, completion_tokens: 10 },
  words: 0,
  bytesSent: 10,
  eventsSent: 0,
  heldBack: false,
  completed: true,
  ...values,
});

const compare = (clients: readonly ClientEntry[], upstream: readonly UpstreamEntry[]) =>
  findDisagreements(db, { clients, upstream, price: testPrice });

test('journals that agree give no finding', async () => {
  await db.post(settleFor(caller, 'a', 30));
  const failed = served('b', { status: 500, completed: false, usage: undefined });
  expect(await compare([client('a'), client('b', { status: 502, complete: false })], [served('a'), failed])).toEqual(
    [],
  );
});

test('L6 names a complete answer without an entry in the ledger', async () => {
  expect(await compare([client('a')], [served('a')])).toEqual(['L6 nonce-a (a): a complete answer was not billed']);
});

test('L6 names a charge that is too small, and one that is too large', async () => {
  await db.post(settleFor(caller, 'a', 29));
  await db.post(settleFor(caller, 'b', 31));
  expect(await compare([client('a'), client('b')], [served('a'), served('b')])).toEqual([
    "L6 nonce-a (a): a complete answer cost 29, upstream's usage says 30",
    "L6 nonce-b (b): a complete answer cost 31, upstream's usage says 30",
  ]);
});

test('L6 names an estimate despite a reported usage, and L7 an unneeded one', async () => {
  await db.post({ ...settleFor(caller, 'a', 30), estimated: true });
  await db.post(settleFor(caller, 'b', 31));
  expect(await compare([client('a'), client('b', { complete: false })], [served('a'), served('b')])).toEqual([
    "L6 nonce-a (a): a complete answer cost 30, upstream's usage says 30",
    "L7 nonce-b (b): billed 31, upstream's usage says 30",
  ]);
});

const messages = [{ role: 'user', content: 'What does a weir do?' }];
/** A stream of 20 words, of which 12 were sent. */
const interrupted = (name: string): UpstreamEntry =>
  served(name, { completed: false, words: 20, eventsSent: 12, body: Buffer.from(JSON.stringify({ messages })) });
const costOf = (words: number) =>
  testPrice({ prompt: promptTokens(messages), completion: textTokens(madeText(words)) });
const cutAt = (name: string, words: number): ClientEntry =>
  client(name, { stream: true, complete: false, delivered: madeText(words) });

test('L7 of a stream whose usage never came a count is right, between what was delivered and what was sent', async () => {
  for (const words of [7, 8, 12, 13])
    await db.post({ ...settleFor(caller, `words${words}`, costOf(words)), estimated: true });
  const clients = [7, 8, 12, 13].map((words) => cutAt(`words${words}`, 8));
  expect(
    await compare(
      clients,
      [7, 8, 12, 13].map((words) => interrupted(`words${words}`)),
    ),
  ).toEqual([
    `L7 nonce-words7 (words7): billed ${costOf(7)}, counting says ${costOf(8)} to ${costOf(12)}`,
    `L7 nonce-words13 (words13): billed ${costOf(13)}, counting says ${costOf(8)} to ${costOf(12)}`,
  ]);
});

test('L6 names words that were delivered and not billed, unless a crash lost them, and S2 words of another answer', async () => {
  expect(await compare([cutAt('a', 8)], [interrupted('a')])).toEqual([
    'L6 nonce-a (a): words were delivered and not billed',
  ]);
  const facts = { upstream: [interrupted('a')], price: testPrice, crashes: true };
  expect(await findDisagreements(db, { ...facts, clients: [cutAt('a', 8)] })).toEqual([]);
  await db.post({ ...settleFor(caller, 'a', costOf(3)), estimated: true, reason: 'recovered' });
  expect(await findDisagreements(db, { ...facts, clients: [cutAt('a', 8)] })).toEqual([]);
  expect(await compare([{ ...cutAt('a', 8), delivered: 'something else' }], [interrupted('a')])).toEqual([
    'S2 nonce-a (a): what was delivered is not what upstream sent',
  ]);
});

test('L7 names a charge for nothing', async () => {
  await db.post(settleFor(caller, 'a', 30));
  const nothing = served('a', { bytesSent: 0, completed: false, usage: undefined, status: 500 });
  const refused = client('a', { status: 502, complete: false });
  expect(await compare([refused], [nothing])).toEqual(['L7 nonce-a (a): billed, but upstream sent nothing']);
  expect(await compare([refused], [])).toEqual(['L7 nonce-a (a): billed, but upstream sent nothing']);
});

test('L10 names a charge without a request, unless a client cannot know the id of its request', async () => {
  await db.post(settleFor(caller, 'a', 30));
  expect(await compare([], [])).toEqual(['L10 a: billed, and no client sent it']);
  const nameless = client('', { nonce: 'nonce-a', complete: false, status: 0 });
  expect(await compare([nameless], [served('a')])).toEqual([]);
  await db.post(settleFor(caller, 'b', 29));
  expect(await compare([nameless, { ...nameless, nonce: 'nonce-b' }], [served('a'), served('b')])).toEqual([
    'L10 b: billed, and no client sent it',
  ]);
});

test('L4 names a hold that is still open', async () => {
  await db.post(holdFor(caller, 'a', 40));
  expect(await compare([], [])).toEqual(['L4 hold a is still open']);
});

test('L8 names what could not be collected', async () => {
  await db.post(settleFor(caller, 'a', 1102));
  const upstream = served('a', { usage: { prompt_tokens: 1100, completion_tokens: 1 } });
  expect(await compare([client('a', { complete: false })], [upstream])).toEqual(['L8 a: 102 not recovered']);
});

test('S1 names an incomplete answer that looked complete', async () => {
  await db.post(settleFor(caller, 'a', 30));
  expect(await compare([client('a')], [served('a', { completed: false })])).toEqual([
    'S1 nonce-a (a): an answer looked complete that upstream never finished',
  ]);
});

test('L1 L3 name accounts that do not add up', async () => {
  await db.post(settleFor(caller, 'a', 30));
  await db.write.updateTable('users').set({ used: 29 }).where('id', '=', caller.userId).execute();
  const faults = await compare([client('a')], [served('a')]);
  expect(faults).toEqual([
    `L1 user ${caller.userId}: expected 1000, found 999`,
    `L3 user ${caller.userId}: expected 30, found 29`,
  ]);
});

test('faults planted behind a running gateway are named', async () => {
  const relay = await buildRelayApp();
  try {
    await relay.addChannel();
    const { key, userId } = await relay.addUser();
    const answer = await relay.ask({ key });
    const stream = await relay.ask({ key, body: { stream: true } });
    expect(await relay.disagreements()).toEqual([]);

    const wrong = relay.upstream.journal().find(({ request }) => request?.nonce === answer.nonce);
    const rightUsage = wrong?.usage;
    Object.assign(wrong ?? {}, { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    expect(await relay.disagreements()).toEqual([expect.stringMatching(/^L6 /)]);
    Object.assign(wrong ?? {}, { usage: rightUsage });

    const unfinished = relay.upstream.journal().find(({ request: chat }) => chat?.nonce === stream.nonce);
    Object.assign(unfinished ?? {}, { completed: false });
    expect(await relay.disagreements()).toEqual([expect.stringMatching(`^S1 ${stream.nonce} `)]);
    Object.assign(unfinished ?? {}, { completed: true });

    await relay.app.db.write.updateTable('users').set({ available: 1 }).where('id', '=', userId).execute();
    expect(await relay.disagreements()).toEqual([expect.stringMatching(`^L1 user ${userId}: `)]);
  } finally {
    await relay.close();
  }
});
