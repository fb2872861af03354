import { logType } from '@weir/contract/logs';
import { periodAt } from '../../server/src/billing/budgets/calendar.ts';
import { createOwnPriceIndex } from '../../server/src/billing/price/own-price-index.ts';
import { builtInRatios } from '../../server/src/billing/price/prices.ts';
import { createPriceLists } from '../../server/src/billing/price/book/price-lists.ts';
import { readShippedBook } from '../../server/src/billing/price/book/shipped-book.ts';
import { one, ratio } from '../../server/src/billing/price/ratio.ts';
import { vendorCost } from '../../server/src/billing/price/vendor-cost.ts';
import { accountNote } from '../../server/src/billing/credits/account-note.ts';
import { createPriceTable } from '../../server/src/billing/price/price-table.ts';
import { createRequestId } from '../../server/src/http/request-id.ts';
import { addChannelAttempts, addChannelFailures, slotSeconds } from '../../server/src/store/channels/channel-health.ts';
import { openPeriod } from '../../server/src/store/budgets/open-period.ts';
import { namePeriods } from '../../server/src/store/ledger/period-names.ts';
import { openDatabase } from '../../server/src/store/open-database.ts';
import type { Database } from '../../server/src/store/database.ts';
import { bandOf } from '../../server/src/store/channels/latency-bands.ts';
import { sumNextHour } from '../../server/src/store/logs/log-days.ts';
import { hoursPerDay } from '../../server/src/store/logs/log-sum-tables.ts';
import { sampleChannels, sampleRatios } from './sample-gateway.ts';

const days = 30;
const day = 86_400;
const hour = 3600;
const callsPerDay = 220;

/** Pseudo-random numbers from 0 to below 1, the same in every run. */
const createChance = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
const chance = createChance(7);
const oneOf = <Value>(values: readonly [Value, ...Value[]]): Value =>
  values[Math.floor(chance() ** 2 * values.length)] ?? values[0];

const prices = createPriceTable({
  version: 1,
  operator: {
    modelRatio: sampleRatios.ModelRatio,
    completionRatio: '',
    groupRatio: sampleRatios.GroupRatio,
    partRatio: '',
  },
  builtIn: builtInRatios,
  lists: createPriceLists(readShippedBook()),
  own: createOwnPriceIndex([]),
  unitsPerDollar: ratio(500_000n, 1n),
  unpriced: 'fallback',
  madeAtMs: Date.now(),
});

/** Age of a call in seconds: fewer calls at night and at weekends, more each week. */
const momentOf = (now: number): number => {
  for (;;) {
    const ago = chance() * days * day;
    const at = new Date((now - ago) * 1000);
    const hours = at.getHours();
    const busy = hours >= 9 && hours < 19 ? 1 : hours >= 7 && hours < 23 ? 0.4 : 0.08;
    const weekend = at.getDay() % 6 === 0 ? 0.3 : 1;
    if (chance() < busy * weekend * (1 - (0.6 * ago) / (days * day))) return Math.floor(now - ago);
  }
};

/** The busiest channels come first: the choice prefers the first ones. */
const busyChannels = [1, 3, 6, 5, 11, 1, 4, 7, 2] as const;

interface Caller {
  readonly user_id: number;
  readonly username: string;
  readonly group: string;
  readonly id: number;
  readonly name: string;
  readonly unlimited_quota: number;
}

/** One call with its charge, as the relay writes it. */
const callAt = (at: number, callers: readonly [Caller, ...Caller[]]) => {
  const caller = oneOf(callers);
  const channel = oneOf(busyChannels);
  const { models, type } = sampleChannels[channel - 1] ?? sampleChannels[0];
  const [first = '', ...others] = models.split(',');
  const model = oneOf([first, ...others]);
  const price = prices.price({ model, channelType: type, group: caller.group });
  const isEmbedding = model.startsWith('text-embedding');
  const prompt = 40 + Math.floor(9000 * chance() ** 3);
  const completion = isEmbedding ? 0 : 12 + Math.floor(1800 * chance() ** 2);
  const quota = price.quota({ prompt, completion });
  const usage = { prompt, completion, estimated: false };
  const cost = vendorCost(prices, { model, channelType: type, factor: one, atMs: at * 1000 }, { usage });
  const ms = isEmbedding ? 90 + Math.floor(200 * chance()) : Math.floor(350 + completion * (6 + 14 * chance()));
  const requestId = createRequestId(at * 1000 + Math.floor(chance() * 1000));
  return {
    posting: {
      kind: 'settle',
      requestId,
      userId: caller.user_id,
      tokenId: caller.id,
      tokenLimited: caller.unlimited_quota === 0,
      channelId: channel,
      amount: quota,
      priceVersion: price.version,
      estimated: false,
      at,
      unheld: true,
      log: {
        ...accountNote({
          type: logType.consume,
          user: { id: caller.user_id, username: caller.username },
          content: '',
          at,
        }),
        content: price.summary,
        token_id: caller.id,
        token_name: caller.name,
        model_name: model,
        quota,
        cost: cost ?? -1,
        prompt_tokens: prompt,
        completion_tokens: completion,
        channel_id: channel,
        request_id: requestId,
        elapsed_time: ms,
        is_stream: chance() < 0.6 && !isEmbedding ? 1 : 0,
        detail: `{${price.detail},"held":${quota * 2},"attempts":[{"channel":${channel},"status":200,"ms":${Math.floor(ms * 0.4)}}]}`,
      },
    },
    attempt: {
      channel_id: channel,
      slot: Math.floor(at / slotSeconds),
      outcome: 'ok',
      band: bandOf(ms * 0.4),
      count: 1,
    },
  } as const;
};

/** Begins the present periods of all budgets. */
const beginPeriods = async (db: Database, now: number) => {
  const budgets = await db.read.selectFrom('budgets').selectAll().execute();
  const begun = [];
  for (const { id, period, zone, ...budget } of budgets) {
    const times = periodAt(period, zone, now * 1000);
    const opened = await openPeriod(db, id, { times, reservedIn: () => 0 });
    if (opened !== undefined) begun.push({ ...budget, ...opened.period });
  }
  return begun;
};

/** The charge with the periods that it counts against. */
const counted = <Charge extends ReturnType<typeof callAt>['posting']>(
  charge: Charge,
  periods: Awaited<ReturnType<typeof beginPeriods>>,
) => {
  const own = periods.filter(
    ({ starts_at: from, scope, subject_id: subject, model }) =>
      charge.at >= from && (scope === 'model' ? model === charge.log.model_name : subject === charge.tokenId),
  );
  return { ...charge, budgets: namePeriods(own.map(({ id, hard }) => ({ id, isHard: hard === 1 }))) };
};

const addCalls = async (db: Database, now: number): Promise<void> => {
  const periods = await beginPeriods(db, now);
  const rows = await db.read
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.user_id', 'users.username', 'users.group', 'tokens.id', 'tokens.name', 'tokens.unlimited_quota'])
    .where('tokens.name', 'not in', ['default', 'old integration'])
    .orderBy('tokens.id')
    .execute();
  const [first, ...others] = rows;
  if (first === undefined) throw new Error('there is no key to call with');
  const moments = Array.from({ length: days * callsPerDay }, () => momentOf(now)).toSorted((a, b) => a - b);
  const calls = moments.map((at) => callAt(at, [first, ...others]));
  for (const { posting } of calls) await db.post(counted(posting, periods));
  await addChannelAttempts(
    db,
    calls.map(({ attempt }) => attempt),
  );
};

/** Two failing channels: one sometimes refuses calls over a rate limit, the account of the other is refused. */
const addTrouble = async (db: Database, now: number): Promise<void> => {
  const failures = [
    [7, 5400, 'rate_limit', 429, 'Requests rate limit exceeded, please try again later.', 'qwen-plus'],
    [10, 800, 'account', 401, 'Open api daily request limit reached', 'ERNIE-4.0-8K'],
    [10, 740, 'account', 401, 'Open api daily request limit reached', 'ERNIE-4.0-8K'],
    [1, 9300, 'rate_limit', 429, 'Rate limit reached for gpt-5 on tokens per minute.', 'gpt-5'],
    [1, 2100, 'server', 502, 'Bad gateway', 'o3'],
    [1, 36_000, 'timeout', 0, 'The upstream did not answer in time.', 'gpt-5'],
  ] as const;
  await addChannelFailures(
    db,
    failures.map(([channel_id, ago, kind, status, message, model_name]) => ({
      channel_id,
      created_at: now - ago,
      kind,
      status,
      message,
      model_name,
      request_id: createRequestId((now - ago) * 1000),
    })),
  );
  await addChannelAttempts(
    db,
    failures.map(([channel_id, ago, kind]) => ({
      channel_id,
      slot: Math.floor((now - ago) / slotSeconds),
      outcome: kind,
      band: 20,
      count: 1,
    })),
  );
};

/** Ids, and the results of the last test and the last balance query. */
const tests = [
  [1, 640, 412.5],
  [2, 710, 88.12],
  [3, 1240, 0],
  [4, 980, 0],
  [5, 530, 0],
  [6, 2480, 61.4],
  [7, 3900, 0],
  [8, 1720, 35],
  [9, 0, 0],
  [10, 6200, 0],
  [11, 180, 0],
] as const;

const age = async (db: Database, now: number): Promise<void> => {
  for (const [id, response_time, balance] of tests) {
    const tested = response_time === 0 ? 0 : now - id * 700;
    const disabled = id === 10 ? { status: 3, status_reason: 'Open api daily request limit reached' } : {};
    const balanced = balance === 0 ? {} : { balance, balance_updated_time: tested };
    const created_time = now - (days + 40 - id) * day;
    const changed = { response_time, test_time: tested, created_time, ...balanced, ...disabled };
    await db.write.updateTable('channels').set(changed).where('id', '=', id).execute();
  }
  await db.write.updateTable('channels').set({ status: 2 }).where('id', '=', 9).execute();
  for (const table of ['users', 'tokens', 'redemptions'] as const) {
    const rows = await db.read.selectFrom(table).select('id').execute();
    for (const { id } of rows) {
      const created_time = now - (days + 5) * day + id * 31_337;
      await db.write.updateTable(table).set({ created_time }).where('id', '=', id).execute();
    }
  }
  const named = (name: string) => db.write.updateTable('tokens').where('name', '=', name);
  await named('notebooks')
    .set({ expired_time: now + 2 * day })
    .execute();
  await named('old integration')
    .set({ expired_time: now - 9 * day, status: 3 })
    .execute();
  await named('translation').set({ status: 2 }).execute();
  const users = db.write.updateTable('users');
  await users.set({ status: 2 }).where('username', '=', 'internship').execute();
  await users.set({ must_change_password: 0 }).execute();
  // The log rows of this set-up get a time before the month.
  const created_at = now - (days + 4) * day;
  await db.write.updateTable('logs').set({ created_at }).execute();
};

const redeemSome = async (db: Database, now: number): Promise<void> => {
  const codes = await db.read.selectFrom('redemptions').selectAll().orderBy('id').execute();
  const users = await db.read.selectFrom('users').select(['id', 'username']).where('role', '=', 1).execute();
  for (const [index, code] of codes.entries()) {
    const user = users[index % users.length];
    if (user === undefined || index % 2 === 0) continue;
    const at = now - (20 - index) * day;
    const log = accountNote({ type: logType.topUp, user, content: `Redeemed a code of $${code.quota / 500_000}`, at });
    await db.post({ kind: 'redeem', keyDigest: code.key_digest, userId: user.id, at, log });
  }
  await db.write
    .updateTable('redemptions')
    .set({ status: 2 })
    .where('id', '=', codes[2]?.id ?? 0)
    .execute();
};

/** Adds a month of data to a furnished, stopped gateway: calls with their charges, tests, failures. */
export const addMonth = async (dataDir: string): Promise<void> => {
  const now = Math.floor(Date.now() / 1000);
  const db = await openDatabase({ dataDir });
  await age(db, now);
  await redeemSome(db, now);
  await addCalls(db, now);
  await addTrouble(db, now);
  while (await sumNextHour(db, Math.floor(now / hour / hoursPerDay) * hoursPerDay));
  await db.close();
};
