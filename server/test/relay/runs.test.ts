import { endRun, getRun, listRuns } from '@weir/contract/limits/runs';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../app/app.ts';
import type { RelayUser } from '../app/relay-user.ts';
import { buildRelayApp, type NamedAnswer, type RelayApp, testPrice } from '../app/relay-app.ts';
import { promptTokens } from '../oracles/count-tokens.ts';

let relay: RelayApp;
let admin: TestUser;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  admin = await relay.app.addUser('run-admin', role.admin);
});
afterAll(() => relay.close());
afterEach(async () => {
  for (const key of ['RunBudget', 'RunCallsMax', 'RunSeconds']) await relay.setOption(key, '0');
});

const messages = [{ role: 'user', content: 'hi' }];
const prompt = promptTokens(messages);
const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
/** What each call of these tests costs, and holds. */
const cost = testPrice({ prompt, completion: 1 });

interface Naming {
  readonly name: string;
  readonly step?: string;
  readonly limits?: Readonly<Record<string, string>>;
}

const ask = ({ key }: RelayUser, { name, step = '', limits = {} }: Naming): Promise<NamedAnswer> => {
  relay.upstream.behave(() => ({ words: 1, usage }));
  const headers = { 'x-run-id': name, 'x-run-step': step, ...limits };
  return relay.ask({ key, headers, body: { messages, max_tokens: 1 } });
};
const askTimes = (user: RelayUser, naming: Naming, times: number): Promise<NamedAnswer[]> =>
  Promise.all(Array.from({ length: times }, () => ask(user, naming)));
const served = (answers: readonly NamedAnswer[]): number => answers.filter(({ status }) => status === 200).length;
const codesOf = (answers: readonly NamedAnswer[]): readonly unknown[] => [
  ...new Set(
    answers.filter(({ status }) => status !== 200).map(({ status, error }) => `${status} ${String(error['code'])}`),
  ),
];

const runsOf = async (keyword: string, by: TestUser = admin) =>
  v.parse(listRuns.data, await by.data('GET', `${listRuns.path}?keyword=${keyword}`));
const runOf = async (keyword: string, by: TestUser = admin) => {
  const [run] = await runsOf(keyword, by);
  return v.parse(getRun.data, await by.data('GET', getRun.path.replace(':id', String(run?.id))));
};
const end = async (id: number, by: TestUser = admin) =>
  v.parse(endRun.data, await by.data('POST', endRun.path.replace(':id', String(id))));

describe('a run', () => {
  test('with a budget for ten of 1,000 parallel calls serves ten, and its cost is exact', async () => {
    const user = await relay.addUser({ quota: 10_000_000 });
    const naming = { name: 'budget-of-ten', limits: { 'x-run-budget': String(10 * cost) } };
    const answers = await askTimes(user, naming, 1000);
    expect([served(answers), codesOf(answers)]).toEqual([10, ['403 run_budget_used_up']]);
    const refused = answers.find(({ status }) => status === 403);
    expect(String(refused?.error['message'])).toMatch(/run budget-of-ten is used up: \d+ needed, 0 available/);
    expect(await runOf(naming.name)).toMatchObject({ amount: 10 * cost, used: 10 * cost, held: 0, end: '' });
    expect(await relay.disagreements()).toEqual([]);
  });

  test('with a maximum of calls serves exactly so many, also while nothing is written yet', async () => {
    const user = await relay.addUser({ quota: 10_000_000 });
    const naming = { name: 'calls-of-seven', limits: { 'x-run-max-calls': '7' } };
    const answers = await askTimes(user, naming, 100);
    expect([served(answers), codesOf(answers)]).toEqual([7, ['403 run_ended_calls']]);
    await expect.poll(async () => (await runOf(naming.name)).calls).toBe(7);
    expect(await runOf(naming.name)).toMatchObject({ calls_max: 7, end: 'calls', used: 7 * cost });
  });

  test('ends with its time, and when it is ended, on the spot', async () => {
    const user = await relay.addUser({ quota: 10_000_000 });
    const timed = { name: 'ten-minutes', limits: { 'x-run-seconds': '600' } };
    expect((await ask(user, timed)).status).toBe(200);
    relay.app.clock.advance(600_000);
    const late = await ask(user, timed);
    expect([late.status, late.error['code']]).toEqual([403, 'run_ended_time']);

    const open = { name: 'until-stopped' };
    expect((await ask(user, open)).status).toBe(200);
    const { id } = await runOf(open.name);
    expect(await end(id)).toMatchObject({ id, end: 'stopped' });
    const ended = await ask(user, open);
    expect([ended.status, ended.error['code']]).toEqual([403, 'run_ended_stopped']);
    // The name is of its user alone.
    expect((await ask(await relay.addUser(), open)).status).toBe(200);
  });

  test('has the strictest of its own limits and the operator’s, from its first call on', async () => {
    await relay.setOption('RunCallsMax', '2');
    await relay.setOption('RunBudget', String(100 * cost));
    const user = await relay.addUser({ quota: 10_000_000 });
    const naming = { name: 'two-at-most', limits: { 'x-run-max-calls': '50', 'x-run-budget': String(5 * cost) } };
    expect(served(await askTimes(user, naming, 5))).toBe(2);
    await relay.setOption('RunCallsMax', '9');
    expect(served(await askTimes(user, { ...naming, limits: { 'x-run-max-calls': '60' } }, 2))).toBe(0);
    expect(await runOf(naming.name)).toMatchObject({ calls_max: 2, amount: 5 * cost });
  });

  test('is one of at most 600 that a user begins in a minute; those that were begun go on', async () => {
    const [user, other] = [await relay.addUser(), await relay.addUser()];
    const { clock } = relay.app;
    clock.advance(60_000 - (clock.now() % 60_000));
    const begun = await Promise.all(Array.from({ length: 600 }, (_, index) => ask(user, { name: `many-${index}` })));
    expect(served(begun)).toBe(600);
    const refused = await ask(user, { name: 'one-too-many' });
    expect([refused.status, refused.error['code']]).toEqual([429, 'run_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(served([await ask(user, { name: 'many-0' }), await ask(other, { name: 'many-0' })])).toBe(2);
    clock.advance(60_000);
    expect(served([await ask(user, { name: 'one-too-many' })])).toBe(1);
  });

  test('shows what its steps cost by model, to its owner and to administrators alone', async () => {
    const member = await relay.app.addUser('run-owner');
    const key = await relay.addUser();
    expect(
      served([
        await ask(key, { name: 'tree', step: 'plan' }),
        await ask(key, { name: 'tree', step: ' plan / search ' }),
      ]),
    ).toBe(2);
    expect(served(await askTimes(key, { name: 'tree', step: 'plan/search' }, 2))).toBe(2);
    const run = await runOf('tree');
    expect(run.steps.map(({ step, calls, quota }) => [step, calls, quota])).toEqual([
      ['plan/search', 3, 3 * cost],
      ['plan', 1, cost],
    ]);
    expect(run.used).toBe(4 * cost);
    expect(await runsOf('tree', member)).toEqual([]);
    expect(await member.refused('GET', getRun.path.replace(':id', String(run.id)))).toContain('not found');
    expect(await member.refused('POST', endRun.path.replace(':id', String(run.id)))).toContain('not found');
  });

  test('is refused where its headers cannot be read; a call without them has no run', async () => {
    const user = await relay.addUser();
    const bad: readonly (readonly [Naming, string])[] = [
      [{ name: 'with space' }, 'x-run-id'],
      [{ name: 'x'.repeat(101) }, 'x-run-id'],
      [{ name: 'steps', step: 'a/b/c/d/e/f/g/h/i' }, 'x-run-step'],
      [{ name: 'limits', limits: { 'x-run-budget': '-1' } }, 'x-run-budget'],
      [{ name: 'limits', limits: { 'x-run-max-calls': '1.5' } }, 'x-run-max-calls'],
      [{ name: 'limits', limits: { 'x-run-seconds': '99999999999' } }, 'x-run-seconds'],
    ];
    for (const [naming, header] of bad) {
      const answer = await ask(user, naming);
      expect([answer.status, answer.error['code']]).toEqual([400, 'run_invalid']);
      expect(String(answer.error['message'])).toContain(header);
    }
    const plain = await relay.ask({ key: user.key });
    expect(await relay.logOf(plain.requestId)).toMatchObject({ run_id: 0, run_step: '' });
  });
});
