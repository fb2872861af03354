import { type BalanceQuery, vendorOf } from '@weir/contract/catalogue/vendors';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { OutboundError, type Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

/** The channel whose balance is read. */
export interface BalanceChannel {
  readonly type: number;
  readonly key: string;
  /** The channel's own; empty: its vendor's. */
  readonly baseUrl: string;
}

/** A balance, in the unit of the channel's type unless its currency is named. */
export interface ChannelBalance {
  readonly amount: number;
  readonly currency: '' | 'CNY' | 'USD';
}

interface BalanceRequest {
  readonly key: string;
  /** The host that is asked. */
  readonly host: string;
  readonly now: Date;
  /** Gets a path of the upstream's host, with the key as a bearer token unless other headers are given. */
  get<const Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<v.InferOutput<Schema>>;
}

/** A number alone is in the unit of the channel's type. */
type BalanceReader = (request: BalanceRequest) => Promise<number | ChannelBalance>;

const refused = (reason: string, cause?: unknown): AppError => new AppError('balance_failed', { reason }, cause);

/** A vendor's message may quote the key. */
const refusedBy = (message: string, key: string): AppError => refused(message.replaceAll(key, '***').slice(0, 500));

const number = v.pipe(v.number(), v.finite());
const numberText = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite());

const day = (date: Date): string => date.toISOString().slice(0, 10);
const paidBefore = 100 * 86_400_000;

const subscription = v.object({ hard_limit_usd: number, has_payment_method: v.optional(v.boolean(), true) });
const usage = v.object({ total_usage: number });

/** The limit of an account minus what it used this month, or in 100 days without a payment method. */
const openaiBilling: BalanceReader = async ({ now, get }) => {
  const limit = await get(subscription, '/v1/dashboard/billing/subscription');
  const start = limit.has_payment_method ? `${day(now).slice(0, 7)}-01` : day(new Date(now.getTime() - paidBefore));
  const used = await get(usage, `/v1/dashboard/billing/usage?start_date=${start}&end_date=${day(now)}`);
  return limit.hard_limit_usd - used.total_usage / 100;
};

const creditGrants =
  (member: 'total_available' | 'total_remaining'): BalanceReader =>
  async ({ get }) => {
    const grants = await get(v.object({ [member]: number }), '/dashboard/billing/credit_grants');
    return grants[member] ?? 0;
  };

const openaiSb: BalanceReader = async ({ key, get }) => {
  const status = v.object({ msg: v.optional(v.string(), ''), data: v.nullish(v.object({ credit: numberText })) });
  const { data, msg } = await get(status, `/sb-api/user/status?api_key=${encodeURIComponent(key)}`);
  if (data === null || data === undefined) throw refusedBy(msg, key);
  return data.credit;
};

const aiProxy: BalanceReader = async ({ key, get }) => {
  const overview = v.object({
    success: v.boolean(),
    message: v.optional(v.string(), ''),
    data: v.nullish(v.object({ totalPoints: number })),
  });
  const { success, message, data } = await get(overview, '/api/report/getUserOverview', { 'api-key': key });
  if (!success || data === null || data === undefined) throw refusedBy(message, key);
  return data.totalPoints;
};

const credits = v.object({ data: v.object({ total_credits: number, total_usage: number }) });
const keyLimit = v.object({ data: v.object({ limit_remaining: v.nullish(number) }) });

const reasonOf = ({ values: { reason } }: AppError): string => (typeof reason === 'string' ? reason : '');

const isForbidden = (error: unknown): boolean =>
  error instanceof AppError && ['status code: 401', 'status code: 403'].includes(reasonOf(error));

/** The account's credits need a management key; any other key knows what is left of its own limit. */
const openrouter: BalanceReader = async ({ get }) => {
  try {
    const { data } = await get(credits, '/v1/credits');
    return data.total_credits - data.total_usage;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { limit_remaining: remaining } = (await get(keyLimit, '/v1/key')).data;
    if (remaining === null || remaining === undefined)
      throw refused('the key has no limit of its own, and the credits of the account need a management key', error);
    return remaining;
  }
};

/** The answer names no currency: accounts of the international host are in dollars (provider notes 8.3). */
const moonshot: BalanceReader = async ({ host, get }) => {
  const account = v.object({ data: v.object({ available_balance: number }) });
  const { available_balance: amount } = (await get(account, '/v1/users/me/balance')).data;
  return { amount, currency: host.endsWith('.moonshot.ai') ? 'USD' : 'CNY' };
};

const deepseek: BalanceReader = async ({ get }) => {
  const account = v.object({ balance_infos: v.array(v.object({ currency: v.string(), total_balance: numberText })) });
  const { balance_infos: balances } = await get(account, '/user/balance');
  const found = (['CNY', 'USD'] as const).flatMap((currency) => {
    const balance = balances.find((each) => each.currency === currency);
    return balance === undefined ? [] : [{ amount: balance.total_balance, currency }];
  });
  // The empty one of two is an account that was never used.
  const balance = found.find(({ amount }) => amount !== 0) ?? found[0];
  if (balance === undefined) throw refused('the account has no balance in CNY or USD');
  return balance;
};

const siliconflow: BalanceReader = async ({ key, get }) => {
  const account = v.object({
    code: v.number(),
    message: v.optional(v.string(), ''),
    data: v.nullish(v.object({ totalBalance: numberText })),
  });
  const { code, message, data } = await get(account, '/v1/user/info');
  if (code !== 20_000 || data === null || data === undefined) throw refusedBy(message, key);
  return data.totalBalance;
};

/** One reader for each query that a vendor's row names (wire contract 2.11, provider notes 15). */
const readers = {
  openaiBilling,
  totalAvailable: creditGrants('total_available'),
  totalRemaining: creditGrants('total_remaining'),
  openaiSb,
  aiProxy,
  openrouter,
  moonshot,
  deepseek,
  siliconflow,
} satisfies Record<BalanceQuery, BalanceReader>;

const byQuery = new Map<string, BalanceReader>(Object.entries(readers));

/** Whether channels of a type have a balance to read. */
export const hasBalance = (type: number): boolean => vendorOf(type)?.balance !== undefined;

/** Reads the balance of a channel's key at its upstream. Rejects with `balance_unsupported` or `balance_failed`. */
export const createBalanceQuery =
  (call: Outbound) =>
  async (channel: BalanceChannel, now: Date): Promise<ChannelBalance> => {
    const vendor = vendorOf(channel.type);
    const read = byQuery.get(vendor?.balance?.query ?? '');
    if (vendor === undefined || read === undefined) throw new AppError('balance_unsupported');
    const own = channel.baseUrl !== '' && channel.baseUrl !== vendor.baseUrl;
    // Pasted addresses often end with the version that every path here begins with.
    const base = (own ? channel.baseUrl : (vendor.balance?.baseUrl ?? vendor.baseUrl)).replace(/\/v1$/, '');
    if (base === '') throw new AppError('channel_address_invalid');
    const bearer = { authorization: `Bearer ${channel.key}` };
    const get: BalanceRequest['get'] = async (schema, path, headers = bearer) => {
      const { status, text } = await call({ method: 'GET', url: `${base}${path}`, headers }).catch((error: unknown) => {
        throw error instanceof OutboundError ? refused(error.message, error) : error;
      });
      if (status !== 200) throw refused(`status code: ${status}`);
      const answer = readJson(schema, text);
      if (answer === undefined) throw refused('the response has an unexpected form');
      return answer;
    };
    const balance = await read({ key: channel.key, host: new URL(base).hostname, now, get });
    return typeof balance === 'number' ? { amount: balance, currency: '' } : balance;
  };
