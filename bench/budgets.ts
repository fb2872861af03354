/**
 * Cost of budgets for a relayed call, in processor time of the whole process: its reservation and its charge on SQLite,
 * in group commits of 64 calls, with none, one and three budgets of the token, in turns. `node bench/budgets.ts [--write]`.
 */
import { randomUUID } from 'node:crypto';
import { createAccounts } from '../server/src/billing/accounts.ts';
import { createBudgets } from '../server/src/billing/budgets/budgets.ts';
import { insertBudget } from '../server/src/store/budgets/budgets.ts';
import { openChanges } from '../server/src/store/nodes/changes.ts';
import { addCaller, logFor } from '../server/test/database/accounts.ts';
import { openTestDatabase } from '../server/test/database/database.ts';
import { circumstances, keepResult } from './circumstances.ts';

const rounds = 25;
const batches = 100;
const parallel = 64;
const kinds = [0, 1, 3] as const;

const db = await openTestDatabase();
const changes = await openChanges({});
const onError = (error: unknown): void => {
  throw error;
};
const accounts = createAccounts({ db, changes, onError });
const budgets = createBudgets({ db, changes, clock: { now: Date.now }, reservedIn: accounts.reservedIn });

const callers = await Promise.all(
  kinds.map(async (count) => {
    const caller = await addCaller(db, 1e12);
    const terms = { zone: 'UTC', amount: 1e12, rollover: false, hard: true, byAdmin: false, at: 1 };
    const token = { scope: 'token', subjectId: caller.tokenId, model: '' } as const;
    for (const period of (['day', 'week', 'month'] as const).slice(0, count))
      await db.write.transaction().execute((trx) => insertBudget(trx, { ...token, ...terms, period }));
    const { userId, tokenId, tokenLimited } = caller;
    return { caller, access: { userId, tokenId, tokenLimited } };
  }),
);

/** What a call does to its accounts, from its admission to its charge. */
const callOnce = async ({ access, caller }: (typeof callers)[number]): Promise<void> => {
  const { channelId } = caller;
  const named = budgets.payerOf(access, 'gpt-4o');
  const payer = named instanceof Promise ? await named : named;
  const loading = accounts.ready(payer);
  if (loading !== null) await loading;
  const requestId = randomUUID();
  if (accounts.free(payer).budget < 100) throw new Error('the budget is too small');
  const reservation = accounts.reserve({ requestId, payer, amount: 100 });
  const common = { channelId, priceVersion: 1 };
  reservation?.deferHold({ ...common, modelName: 'gpt-4o', openedAt: 1 });
  const log = logFor(caller, requestId, 90);
  await reservation?.settle({ ...common, amount: 90, estimated: false, at: 1, log });
};

/** Microseconds of processor time a call. */
const measure = async (caller: (typeof callers)[number]): Promise<number> => {
  const begun = process.cpuUsage();
  for (let batch = 0; batch < batches; batch += 1)
    await Promise.all(Array.from({ length: parallel }, () => callOnce(caller)));
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / (batches * parallel);
};

const runs = kinds.map(() => new Array<number>());
for (let round = 0; round <= rounds; round += 1)
  for (const [index, caller] of callers.entries()) {
    const microseconds = await measure(caller);
    // The first round warms up.
    if (round > 0) runs[index]?.push(microseconds);
  }
accounts.close();
budgets.close();
await db.close();

const [none = 0, one = 0, three = 0] = runs.map((each) => Math.min(...each));
const rounded = (microseconds: number): number => Number(microseconds.toFixed(2));
const result = {
  what: `processor time of reservation and charge of a call, in microseconds, with the writer thread; the least of ${rounds} rounds in turns`,
  ...circumstances(),
  microseconds: { withoutBudgets: rounded(none), withOne: rounded(one), withThree: rounded(three) },
  added: { one: rounded(one - none), three: rounded(three - none) },
};
console.log(result);
if (process.argv.includes('--write')) keepResult('budgets', result);
