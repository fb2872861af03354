import { vendorList } from '@weir/contract/catalogue/vendors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BillingAnswer,
  type BillingServer,
  startBillingServer,
} from '../../../test/fakes/services/billing-server.ts';
import { buildRelayApp, type RelayApp, until } from '../../../test/app/relay-app.ts';

let relay: RelayApp;
beforeAll(async () => {
  relay = await buildRelayApp();
});
afterAll(() => relay.close());

const near = (value: number): unknown => expect.closeTo(value, 6);
const today = new Date().toISOString().slice(0, 10);
const month = `${today.slice(0, 7)}-01`;
const past = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10);

const subscription = (has_payment_method: boolean): BillingAnswer => ({
  body: { object: 'billing_subscription', has_payment_method, hard_limit_usd: 120, soft_limit_usd: 100 },
});
const usage = { body: { object: 'list', daily_costs: [], total_usage: 2050.5 } };
const paid = {
  '/v1/dashboard/billing/subscription': subscription(true),
  [`/v1/dashboard/billing/usage?start_date=${month}&end_date=${today}`]: usage,
};
const unpaid = {
  '/v1/dashboard/billing/subscription': subscription(false),
  [`/v1/dashboard/billing/usage?start_date=${past}&end_date=${today}`]: usage,
};
const grants = {
  '/dashboard/billing/credit_grants': {
    body: { object: 'credit_summary', total_granted: 9, total_used: 3, total_remaining: 6.25, total_available: 6.5 },
  },
};

const row = (id: number) =>
  relay.app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const withServer = async (
  answers: Readonly<Record<string, BillingAnswer>>,
  run: (server: BillingServer) => Promise<void>,
  keyHeader?: 'api-key',
): Promise<void> => {
  const server = await startBillingServer(answers, keyHeader);
  try {
    await run(server);
  } finally {
    await server.close();
  }
};

interface Case {
  readonly type: number;
  readonly answers: Readonly<Record<string, BillingAnswer>>;
  readonly balance: number;
  /** Absent: the unit of the type. */
  readonly currency?: 'CNY' | 'USD';
  readonly keyHeader?: 'api-key';
}

const answering = (path: string, body: object) => ({ [path]: { body } });

const cases: readonly Case[] = [
  { type: 1, answers: paid, balance: 99.495 },
  { type: 8, answers: paid, balance: 99.495 },
  { type: 1, answers: unpaid, balance: 99.495 },
  { type: 4, answers: grants, balance: 6.5 },
  {
    type: 5,
    answers: answering('/sb-api/user/status?api_key=sk-billing-canary', { msg: '', data: { credit: '123456' } }),
    balance: 123_456,
  },
  {
    type: 10,
    answers: answering('/api/report/getUserOverview', { success: true, message: '', data: { totalPoints: 700_000 } }),
    balance: 700_000,
    keyHeader: 'api-key',
  },
  { type: 12, answers: grants, balance: 6.25 },
  { type: 13, answers: grants, balance: 6.5 },
  { type: 20, answers: answering('/v1/credits', { data: { total_credits: 10.5, total_usage: 4.25 } }), balance: 6.25 },
  {
    type: 25,
    answers: answering('/v1/users/me/balance', {
      code: 0,
      data: { available_balance: 49.58, voucher_balance: 46.58, cash_balance: 3 },
      scode: '0x0',
      status: true,
    }),
    balance: 49.58,
    currency: 'CNY',
  },
  {
    type: 36,
    answers: answering('/user/balance', {
      is_available: true,
      balance_infos: [
        { currency: 'USD', total_balance: '1.00' },
        { currency: 'CNY', total_balance: '110.50', granted_balance: '10.00', topped_up_balance: '100.50' },
      ],
    }),
    balance: 110.5,
    currency: 'CNY',
  },
  {
    type: 44,
    answers: answering('/v1/user/info', {
      code: 20_000,
      status: true,
      data: { balance: '0.5', totalBalance: '88.25' },
    }),
    balance: 88.25,
  },
];

/** The answer to an update of the balance, what was asked for it, and what is stored then. */
const readBalance = async ({ type, answers, keyHeader }: Case) => {
  const found: { answer?: unknown; requests?: readonly string[]; stored?: number; updated?: boolean } = {};
  await withServer(
    answers,
    async (server) => {
      const id = await relay.addChannel({ type, base_url: `${server.url}/v1`, key: server.key });
      const before = Math.floor(Date.now() / 1000);
      const { json } = await relay.root.call('GET', `/api/channel/update_balance/${id}/`);
      const stored = await row(id);
      const updated = stored.balance_updated_time >= before;
      Object.assign(found, { answer: json, requests: server.requests, stored: stored.balance, updated });
    },
    keyHeader,
  );
  return found;
};

const expected = ({ answers, balance, currency }: Case) => ({
  answer: { success: true, message: '', balance: near(balance), ...(currency !== undefined && { currency }) },
  requests: Object.keys(answers),
  stored: near(balance),
  updated: true,
});

test.each(cases)('CHAN-10 the balance of type $type is read from its vendor’s answer', async (one) => {
  expect(await readBalance(one)).toEqual(expected(one));
});

test('R51 CHAN-10 a DeepSeek account in dollars has a balance in dollars, and one in another currency is refused', async () => {
  const account = (...balance_infos: readonly { currency: string; total_balance: string }[]) =>
    answering('/user/balance', { is_available: true, balance_infos });
  const yuan = { currency: 'CNY', total_balance: '0.00' };
  const dollars = { currency: 'USD', total_balance: '9.75' };
  for (const answers of [account(dollars), account(yuan, dollars)]) {
    const one: Case = { type: 36, answers, balance: 9.75, currency: 'USD' };
    expect(await readBalance(one)).toEqual(expected(one));
  }
  const { answer } = await readBalance({
    type: 36,
    answers: account({ currency: 'EUR', total_balance: '1' }),
    balance: 0,
  });
  const reason: unknown = expect.stringContaining('no balance in CNY or USD');
  expect(answer).toMatchObject({ success: false, message: reason });
});

test('R42 CHAN-10 what is left of an OpenRouter key is read where the account’s credits need another key', async () => {
  const limited: Case = {
    type: 20,
    answers: {
      '/v1/credits': { status: 403, body: '{"error":{"message":"Only management keys"}}' },
      '/v1/key': { body: { data: { limit: 10, limit_remaining: 7.5 } } },
    },
    balance: 7.5,
  };
  expect(await readBalance(limited)).toEqual(expected(limited));
});

test('CHAN-10 C7 exactly the vendors whose row names a balance query have a balance to read', async () => {
  for (const { id: type, balance } of vendorList) {
    const id = await relay.addChannel({ type, base_url: 'http://127.0.0.1:1' });
    const message = await relay.root.refused('GET', `/api/channel/update_balance/${id}`);
    expect(message === 'Not implemented yet', `type ${type}`).toBe(balance === undefined);
  }
});

test('CHAN-10 a failed or malformed answer is reported without the key, and the stored balance stays', () =>
  withServer(
    {
      '/dashboard/billing/credit_grants': { status: 500, body: 'oops' },
      '/sb-api/user/status?api_key=sk-billing-canary': { body: { msg: 'no sk-billing-canary here', data: null } },
      '/v1/credits': { body: '{"data":{"total_credits":"much"}}' },
    },
    async ({ url, key }) => {
      const refused = async (type: number) => {
        const id = await relay.addChannel({ type, base_url: url, key });
        await relay.app.db.write.updateTable('channels').set({ balance: 7 }).where('id', '=', id).execute();
        const message = await relay.root.refused('GET', `/api/channel/update_balance/${id}`);
        expect((await row(id)).balance).toBe(7);
        return message.replace('Could not read the balance: ', '');
      };
      expect(await refused(4)).toBe('status code: 500');
      expect(await refused(5)).toBe('no *** here');
      expect(await refused(20)).toBe('the response has an unexpected form');
      expect(await refused(1)).toBe('status code: 404');
      expect(relay.app.logged()).not.toContain(key);
    },
  ));

test('CHAN-10 updating all balances reads every enabled channel that has one, whatever the others answer', () =>
  withServer(grants, async ({ url, key }) => {
    const refusing = await relay.addChannel({ type: 4, base_url: `${url}/wrong`, key });
    const disabled = await relay.addChannel({ type: 4, base_url: url, key });
    await relay.changeChannel(disabled, { status: 2 });
    const none = await relay.addChannel({ type: 14, base_url: url, key });
    const last = await relay.addChannel({ type: 4, base_url: url, key });
    await relay.root.data('GET', '/api/channel/update_balance');
    await until(async () => (await row(last)).balance_updated_time > 0);
    for (const id of [refusing, disabled, none]) expect((await row(id)).balance_updated_time).toBe(0);
  }));

test('a channel that does not exist has no balance', async () => {
  expect(await relay.root.refused('GET', '/api/channel/update_balance/999999')).toBe('Record not found');
});
