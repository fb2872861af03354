import { marginDimensions, marginsSchema } from '@weir/contract/margins';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumLogDays } from '../../../src/jobs/sum-log-days.ts';
import { insertPriceBook } from '../../../src/store/prices/price-books.ts';
import { buildRelayApp, type RelayApp, testModel } from '../../app/relay-app.ts';
import { cardOf, oracleCost, type OracleUse } from '../../oracles/cost-oracle.ts';

const hourMs = 3_600_000;
const rounds = 12;
const callsAtOnce = 12;

/** The dollars for a million tokens, in thousandths; the test model is in no list. */
const rates = new Map([
  ['weir-dear', { input: 15_000, output: 75_000, cacheRead: 1500 }],
  ['weir-cheap', { input: 37, output: 151 }],
  ['weir-odd', { input: 333, output: 1001, cacheRead: 83 }],
]);
const models = [...rates.keys(), testModel];
/** Thousandths of the list price. */
const factors = [1000, 733, 0];

interface Expected {
  readonly requestId: string;
  readonly at: number;
  readonly model: string;
  readonly channel: number;
  readonly user: number;
  /** Null: not known. */
  readonly cost: number | null;
}

let relay: RelayApp;
const channels: number[] = [];
const expected: Expected[] = [];

/** Reproducible numbers below `limit` (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};
const random = createRandom(20_261_124);
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[random(items.length)];
  if (item === undefined) throw new RangeError('nothing to pick');
  return item;
};

beforeAll(async () => {
  relay = await buildRelayApp({ frozen: true });
  const entries = [...rates].map(([model, rate]) => ({
    vendor: 'openai',
    model,
    mode: 'chat' as const,
    from: '2020-01-01',
    price: cardOf(rate),
  }));
  await relay.app.db.write
    .transaction()
    .execute((trx) => insertPriceBook(trx, { book: { name: 'test', entries }, source: 'test', actorId: 0, at: 1 }));
  await relay.root.data('PUT', '/api/prices/own', { model: 'other', card: { rates: { input: '1', output: '1' } } });
  for (const factor of factors)
    channels.push(
      await relay.addChannel({
        name: `pays ${factor}`,
        models: models.join(','),
        group: `group${factor}`,
        config: JSON.stringify({ cost_factor: String(factor / 1000) }),
      }),
    );
});
afterAll(() => relay.close());

const usageOf = ({ prompt, completion, cached = 0 }: OracleUse) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

const expectedCost = (model: string, factor: number, use: OracleUse): number | null => {
  const rate = rates.get(model);
  if (factor === 0) return 0;
  return rate === undefined ? null : oracleCost(rate, use, factor);
};

/** Calls at once, of random models, channels and sizes. */
const callAtOnce = async (users: readonly { readonly userId: number; readonly key: string }[]): Promise<void> => {
  const planned = Array.from({ length: callsAtOnce }, (_, index) => {
    const prompt = 1 + random(90_000);
    const use = { prompt, completion: 1 + random(9000), cached: random(4) === 0 ? random(prompt) : 0 };
    return { nonce: `call-${expected.length + index}`, model: pick(models), place: random(factors.length), use };
  });
  const uses = new Map(planned.map(({ nonce, use }) => [nonce, use]));
  relay.upstream.behave(({ nonce }) => {
    const use = uses.get(nonce);
    return use === undefined ? undefined : { usage: usageOf(use) };
  });
  const answers = await Promise.all(
    planned.map(async ({ nonce, model, place, use }) => {
      const user = users[place];
      const body = { model, stream: random(2) === 0 };
      const { requestId, status, text } = await relay.ask({ key: user?.key ?? '', nonce, body });
      expect(status, text).toBe(200);
      const at = Math.floor(relay.app.clock.now() / 1000);
      const cost = expectedCost(model, factors[place] ?? 0, use);
      return { requestId, at, model, channel: channels[place] ?? 0, user: user?.userId ?? 0, cost };
    }),
  );
  expected.push(...answers);
};

const known = (calls: readonly Expected[]): bigint => calls.reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n);
/** Dollars as the answers have them. */
const nanoOf = (dollars: string): bigint => {
  const [whole = '', places = ''] = dollars.split('.');
  return BigInt(`${whole}${places.padEnd(9, '0')}`);
};

/** The rows, the sums by the hour and day, and every report have the costs of these calls. */
const compare = async (calls: readonly Expected[]): Promise<void> => {
  const { db } = relay.app;
  const rows = await db.read.selectFrom('logs').select(['request_id', 'cost', 'quota']).where('type', '=', 2).execute();
  expect(new Map(rows.map((row) => [row.request_id, row.cost]))).toEqual(
    new Map(calls.map(({ requestId, cost }) => [requestId, cost ?? -1])),
  );
  const hours = await db.read.selectFrom('log_hours').select(['cost', 'costed']).execute();
  expect(hours.reduce((sum, { cost }) => sum + BigInt(cost), 0n)).toBe(known(calls));
  const costed = rows.reduce((sum, { cost, quota }) => sum + (cost < 0 ? 0 : quota), 0);
  expect(hours.reduce((sum, row) => sum + Number(row.costed), 0)).toBe(costed);
  const quota = rows.reduce((sum, row) => sum + row.quota, 0);
  // Sessions end within the days that have passed.
  const root = await relay.app.root();
  const ofName = { model: 'model', channel: 'channel', user: 'user' } as const;
  for (const by of marginDimensions) {
    const query = `start_timestamp=${calls[0]?.at ?? 1}&by=${by}`;
    const { total, lines } = v.parse(marginsSchema, await root.data('GET', `/api/usage/margin?${query}`));
    expect(nanoOf(total.cost), by).toBe(known(calls));
    expect([total.requests, total.quota, total.uncosted], by).toEqual([calls.length, quota, quota - costed]);
    expect(
      lines.reduce((sum, { cost }) => sum + nanoOf(cost), 0n),
      by,
    ).toBe(known(calls));
    if (by === 'group') continue;
    for (const { name, cost } of lines)
      expect(nanoOf(cost), `${by} ${name}`).toBe(known(calls.filter((call) => String(call[ofName[by]]) === name)));
  }
};

test('costs of random calls: rows, sums by hour and day and reports agree with the oracle, after clearing too', async () => {
  const users = await Promise.all(
    factors.map((factor) => relay.addUser({ quota: 1e13, user: { group: `group${factor}` } })),
  );
  for (let round = 0; round < rounds; round += 1) {
    await callAtOnce(users);
    await relay.settled();
    relay.app.clock.advance(7 * hourMs);
  }
  expect(new Set(expected.map(({ cost }) => cost === null))).toEqual(new Set([true, false]));
  await compare(expected);
  await sumLogDays({ db: relay.app.db, clock: relay.app.clock });
  const marks = await relay.app.db.read.selectFrom('log_days_summed').selectAll().execute();
  expect(marks.reduce((sum, { hours }) => sum + hours, 0)).toBeGreaterThan(24);
  expect(marks.filter((mark) => mark.hours_by_name < mark.hours)).toEqual([]);
  await compare(expected);
  const middle = expected[Math.floor(expected.length / 2)]?.at ?? 0;
  const root = await relay.app.root();
  await root.data('DELETE', `/api/log/?target_timestamp=${middle}`);
  const left = expected.filter(({ at }) => at >= middle);
  expect(left.length).toBeLessThan(expected.length);
  await compare(left);
});
