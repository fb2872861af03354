import { isDeepStrictEqual } from 'node:util';
import { budgetSchema, createBudget } from '@weir/contract/limits/budgets';
import * as v from 'valibot';
import { testPrice, until, type RelayApp } from '../app/relay-app.ts';

/** Many calls at once on a balance that covers a few of them. */
export interface SpendingRound {
  readonly stream: boolean;
  /** What limits: the account's balance, the token's allocation, or a budget of the token. */
  readonly payer: 'account' | 'token' | 'budget';
  /** Calls at once. */
  readonly parallel: number;
  /** How many of them the balance covers. */
  readonly covered: number;
}

/** Every call is as long as every other. */
const bodyFor = (stream: boolean) => ({ stream, max_tokens: 40 });
const words = 40;
const plenty = 1_000_000;

/** Covers a call and not many: its prompt is counted before it is held. */
const scarce = 1000;

/** The amount that one call reserves on a balance that is not ample, read from the log of one call. */
const holdOf = async (relay: RelayApp, stream: boolean): Promise<number> => {
  const poor = await relay.addUser({ quota: scarce });
  const answer = await relay.ask({ key: poor.key, body: bodyFor(stream) });
  const log = await relay.logOf(answer.requestId);
  const detail: unknown = JSON.parse(String(log?.['detail']));
  return typeof detail === 'object' && detail !== null && 'held' in detail ? Number(detail.held) : 0;
};

const codes = {
  account: 'insufficient_user_quota',
  token: 'pre_consume_token_quota_failed',
  budget: 'budget_used_up',
} as const;
const shown = (value: unknown): string => JSON.stringify(value);

const addBudget = async ({ root }: RelayApp, tokenId: number, amount: number): Promise<number> => {
  const budget = { scope: 'token', subject_id: tokenId, period: 'month', zone: 'UTC', amount };
  return v.parse(budgetSchema, await root.data('POST', createBudget.path, budget)).id;
};

/** A user that is limited as the round says. */
const addPayer = async (relay: RelayApp, { payer }: SpendingRound, balance: number) => {
  if (payer === 'account') return { ...(await relay.addUser({ quota: balance })), budgetId: 0 };
  const user = await relay.addUser(payer === 'token' ? { quota: plenty, allocation: balance } : { quota: plenty });
  return { ...user, budgetId: payer === 'budget' ? await addBudget(relay, user.tokenId, balance) : 0 };
};

/** Runs a round against the gateway; resolves to the differences from the expected results. */
export const playSpendingRound = async (relay: RelayApp, round: SpendingRound): Promise<readonly string[]> => {
  const { stream, payer, parallel, covered } = round;
  relay.upstream.behave(() => ({ words }));
  const balance = covered * (await holdOf(relay, stream));
  const user = await addPayer(relay, round, balance);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ until: gate, words }));
  const before = relay.upstream.journal().length;
  let refused = 0;
  const answers = Array.from({ length: parallel }, async () => {
    const done = await relay.start({ key: user.key, body: bodyFor(stream) }).answer;
    if (done.status === 403) refused += 1;
    return done;
  });
  try {
    await until(() => refused === parallel - covered && relay.upstream.running() === covered);
  } finally {
    open();
  }
  const all = await Promise.all(answers);
  await relay.settled();

  const faults: string[] = [];
  const expect = (what: string, found: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(found, expected)) faults.push(`${what}: ${shown(found)} instead of ${shown(expected)}`);
  };
  const served = all.filter(({ status, complete }) => status === 200 && complete);
  expect('calls upstream', relay.upstream.journal().length - before, covered);
  expect('whole answers', served.length, covered);
  for (const { status, error } of all.filter((answer) => answer.status !== 200)) {
    expect('refusal', [status, error['code']], [403, codes[payer]]);
    const [, needed, available] = /: (\d+) needed, (\d+) available\b/.exec(String(error['message'])) ?? [];
    if (available !== '0' || Number(needed) <= 0) faults.push(`the refusal says ${String(error['message'])}`);
  }
  const cost = testPrice({ prompt: 5, completion: words });
  const charges = await Promise.all(served.map(({ requestId }) => relay.chargeOf(requestId)));
  for (const charge of charges) expect('charge', charge?.amount, cost);
  const logs = await relay.app.db.read.selectFrom('logs').select('id').where('user_id', '=', user.userId).execute();
  expect('log rows', logs.length, covered);
  const used = covered * cost;
  const quota = payer === 'account' ? balance : plenty;
  expect('account', await relay.userBalance(user.userId), { available: quota - used, held: 0, used });
  const left = { available: balance - used, held: 0, used };
  if (payer === 'token') expect('token', await relay.tokenBalance(user.tokenId), left);
  if (payer === 'budget') {
    const {
      granted,
      held,
      used: charged,
    } = v.parse(budgetSchema, await relay.root.data('GET', `${createBudget.path}${user.budgetId}`));
    expect('budget', { available: granted - held - charged, held, used: charged }, left);
  }
  return faults;
};
