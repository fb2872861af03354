import { randomUUID } from 'node:crypto';
import { budgetSchema, createBudget } from '@weir/contract/limits/budgets';
import type { BodyOf } from '@weir/contract/endpoint';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../../app/app.ts';
import { buildRelayApp, testModel, testPrice, until, type NamedAnswer, type RelayApp } from '../../app/relay-app.ts';
import { promptTokens } from '../../oracles/count-tokens.ts';

let relay: RelayApp;
let admin: TestUser;
const addAdmin = () => relay.app.addUser(`admin-${randomUUID().slice(0, 8)}`, role.admin);
beforeAll(async () => {
  relay = await buildRelayApp();
  admin = await addAdmin();
  await relay.addChannel();
});
afterAll(() => relay.close());

const messages = [{ role: 'user', content: 'hi' }];
const prompt = promptTokens(messages);
const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
/** What each call of these tests costs, and holds. */
const cost = testPrice({ prompt, completion: 1 });

type Terms = Partial<BodyOf<typeof createBudget>> & Pick<BodyOf<typeof createBudget>, 'scope' | 'amount'>;

const addBudget = async (terms: Terms) =>
  v.parse(budgetSchema, await admin.data('POST', createBudget.path, { period: 'day', zone: 'UTC', ...terms })).id;
const budgetOf = async (id: number) => v.parse(budgetSchema, await admin.data('GET', `${createBudget.path}${id}`));
const remove = (id: number) => admin.data('DELETE', `${createBudget.path}${id}`);

const askTimes = (key: string, times: number): Promise<NamedAnswer[]> => {
  relay.upstream.behave(() => ({ words: 1, usage }));
  return Promise.all(Array.from({ length: times }, () => relay.ask({ key, body: { messages, max_tokens: 1 } })));
};
const served = (answers: readonly NamedAnswer[]): number => answers.filter(({ status }) => status === 200).length;

const hourMs = 3_600_000;
const advance = async (ms: number): Promise<void> => {
  relay.app.clock.advance(ms);
  // A session ends with time.
  admin = await addAdmin();
};
/** Moves on to an hour of UTC, later than now. */
const advanceToHour = (hour: number): Promise<void> => {
  const now = relay.app.clock.now();
  const at = new Date(now).setUTCHours(hour, 0, 0, 0);
  return advance((at > now ? at : at + 24 * hourMs) - now);
};

test('a budget of a token, its user or the model each serves what it covers, and is used by whatever it is of', async () => {
  const user = await relay.addUser({ quota: 1_000_000 });
  const ids = [
    await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 5 * cost }),
    await addBudget({ scope: 'user', subject_id: user.userId, amount: 3 * cost }),
  ];
  const answers = await askTimes(user.key, 8);
  expect(served(answers)).toBe(3);
  const refused = answers.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.error['code']]).toEqual([403, 'budget_used_up']);
  const next = new Date(relay.app.clock.now() + 24 * hourMs).toISOString().slice(0, 10);
  expect(String(refused?.error['message'])).toMatch(
    new RegExp(`budget ${ids[1]} is used up until ${next}T00:00:00Z: \\d+ needed, 0 available`),
  );
  await relay.settled();
  for (const id of ids) expect(await budgetOf(id)).toMatchObject({ held: 0, used: 3 * cost });
  await remove(ids[1] ?? 0);
  expect(served(await askTimes(user.key, 8))).toBe(2);
  await remove(ids[0] ?? 0);
  const ofModel = await addBudget({ scope: 'model', model: testModel, amount: 4 * cost });
  const other = await relay.addUser();
  const both = await Promise.all([user, other].map(({ key }) => askTimes(key, 6)));
  expect(served(both.flat())).toBe(4);
  await remove(ofModel);
  expect(served(await askTimes(user.key, 1))).toBe(1);
  expect(await relay.disagreements()).toEqual([]);
});

test('a changed amount counts for the next call, and what was used stays used', async () => {
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 2 * cost });
  expect(served(await askTimes(user.key, 4))).toBe(2);
  await relay.settled();
  await admin.data('PUT', createBudget.path, { id, amount: 5 * cost });
  expect(served(await askTimes(user.key, 9))).toBe(3);
  await relay.settled();
  await admin.data('PUT', createBudget.path, { id, amount: 2 * cost });
  expect(served(await askTimes(user.key, 2))).toBe(0);
  expect(await budgetOf(id)).toMatchObject({ granted: 2 * cost, used: 5 * cost });
});

test('a soft budget counts what is spent, and refuses nothing', async () => {
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: cost, hard: false });
  expect(served(await askTimes(user.key, 5))).toBe(5);
  await relay.settled();
  expect(await budgetOf(id)).toMatchObject({ granted: cost, held: 0, used: 5 * cost });
});

test('of 1,000 parallel calls at the moment of renewal each period serves the ten that it covers', async () => {
  await advanceToHour(23);
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 10 * cost });
  const before = relay.upstream.journal().length;
  relay.upstream.behave(() => ({ words: 1, usage }));
  const ask = () => relay.ask({ key: user.key, body: { messages, max_tokens: 1 } });
  const early = Array.from({ length: 500 }, ask);
  await until(() => relay.upstream.journal().length - before === 10);
  await advance(hourMs);
  const late = Array.from({ length: 500 }, ask);
  expect(served(await Promise.all([...early, ...late]))).toBe(20);
  await relay.settled();
  expect(await budgetOf(id)).toMatchObject({ granted: 10 * cost, used: 10 * cost });
  const periods = await relay.app.db.read
    .selectFrom('budget_periods')
    .select(['granted', 'held', 'used'])
    .where('budget_id', '=', id)
    .execute();
  expect(periods).toEqual([
    { granted: 10 * cost, held: 0, used: 10 * cost },
    { granted: 10 * cost, held: 0, used: 10 * cost },
  ]);
}, 120_000);

test('a call belongs to the period of its admission, however long it runs', async () => {
  await advanceToHour(23);
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 2 * cost });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ words: 1, usage, until: gate }));
  const first = relay.start({ key: user.key, body: { messages, max_tokens: 1 } }).answer;
  await until(() => relay.upstream.running() === 1);
  await advance(hourMs);
  open();
  expect((await first).status).toBe(200);
  await relay.settled();
  expect(await budgetOf(id)).toMatchObject({ granted: 2 * cost, used: 0 });
  expect(served(await askTimes(user.key, 4))).toBe(2);
});

test('what a period leaves is carried over once, at most the amount, and cannot be spent in both', async () => {
  await advanceToHour(22);
  const user = await relay.addUser();
  const terms = { subject_id: user.tokenId, amount: 4 * cost, rollover: true } as const;
  const id = await addBudget({ scope: 'token', ...terms });
  expect(served(await askTimes(user.key, 1))).toBe(1);
  await relay.settled();
  // A call that runs on from the period before has its amount there.
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ words: 1, usage, until: gate }));
  const running = relay.start({ key: user.key, body: { messages, max_tokens: 1 } }).answer;
  await until(() => relay.upstream.running() === 1);
  await advanceToHour(0);
  relay.upstream.behave(() => ({ words: 1, usage }));
  expect(served(await askTimes(user.key, 9))).toBe(6);
  open();
  expect((await running).status).toBe(200);
  await relay.settled();
  const periods = await relay.app.db.read
    .selectFrom('budget_periods')
    .select(['granted', 'held', 'used'])
    .where('budget_id', '=', id)
    .orderBy('starts_at')
    .execute();
  expect(periods).toEqual([
    { granted: 2 * cost, held: 0, used: 2 * cost },
    { granted: 6 * cost, held: 0, used: 6 * cost },
  ]);
  // A day without a call leaves the whole amount, and no more than that.
  await advance(48 * hourMs);
  expect((await budgetOf(id)).granted).toBe(8 * cost);
  expect(served(await askTimes(user.key, 10))).toBe(8);
  expect(await relay.disagreements()).toEqual([]);
});

test('a stream is limited to what its budget covers', async () => {
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 1500 });
  relay.upstream.behave(() => ({ words: 4000 }));
  const answer = await relay.ask({ key: user.key, body: { stream: true } });
  expect([answer.status, answer.complete]).toEqual([200, true]);
  await relay.settled();
  const { granted, held, used } = await budgetOf(id);
  expect(held).toBe(0);
  expect(used).toBeGreaterThan(1000);
  expect(used).toBeLessThanOrEqual(granted);
});

test('what a call costs beyond its hold is counted, and missing for the next one', async () => {
  const user = await relay.addUser();
  const id = await addBudget({ scope: 'token', subject_id: user.tokenId, amount: 2 * cost });
  const dear = { prompt_tokens: prompt, completion_tokens: 50, total_tokens: prompt + 50 };
  relay.upstream.behave(() => ({ words: 1, usage: dear }));
  expect((await relay.ask({ key: user.key, body: { messages, max_tokens: 1 } })).status).toBe(200);
  await relay.settled();
  const used = testPrice({ prompt, completion: 50 });
  expect(await budgetOf(id)).toMatchObject({ granted: 2 * cost, held: 0, used });
  expect(served(await askTimes(user.key, 2))).toBe(0);
});
