import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { OutboundError, type Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

/** The channel whose upstream is asked. */
export interface BalanceChannel {
  readonly type: number;
  readonly key: string;
  /** The address it names itself; empty: that of its type. */
  readonly baseUrl: string;
  /** The address of its type. */
  readonly typeUrl: string;
}

interface Question {
  readonly key: string;
  readonly now: Date;
  /** Asks a path on the upstream's host, with the key as a bearer token unless other headers are given. */
  get<const Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<v.InferOutput<Schema>>;
}

/** How one vendor tells what is left. */
interface BalanceSource {
  /** Where its billing answers, if not where its models do. A channel that names another address is asked there. */
  readonly host?: string;
  readonly read: (question: Question) => Promise<number>;
}

const refused = (reason: string, cause?: unknown): AppError => new AppError('balance_failed', { reason }, cause);

/** A vendor's own words may quote the key. */
const refusedBy = (words: string, key: string): AppError => refused(words.replaceAll(key, '***').slice(0, 500));

const number = v.pipe(v.number(), v.finite());
const numberText = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite());

const day = (date: Date): string => date.toISOString().slice(0, 10);
const paidBefore = 100 * 86_400_000;

const subscription = v.object({ hard_limit_usd: number, has_payment_method: v.optional(v.boolean(), true) });
const usage = v.object({ total_usage: number });

/** The limit of an account less what it used this month, or in 100 days where it does not pay. */
const openAiBilling: BalanceSource = {
  read: async ({ now, get }) => {
    const limit = await get(subscription, '/v1/dashboard/billing/subscription');
    const start = limit.has_payment_method ? `${day(now).slice(0, 7)}-01` : day(new Date(now.getTime() - paidBefore));
    const used = await get(usage, `/v1/dashboard/billing/usage?start_date=${start}&end_date=${day(now)}`);
    return limit.hard_limit_usd - used.total_usage / 100;
  },
};

const creditGrants = (member: 'total_available' | 'total_remaining', host?: string): BalanceSource => ({
  ...(host === undefined ? {} : { host }),
  read: async ({ get }) => {
    const grants = await get(v.object({ [member]: number }), '/dashboard/billing/credit_grants');
    return grants[member] ?? 0;
  },
});

/** One row for each channel type that has a balance (wire contract 2.11, provider notes 15). */
const sources = new Map<number, BalanceSource>([
  [1, openAiBilling],
  [8, openAiBilling],
  [4, creditGrants('total_available')],
  [12, creditGrants('total_remaining', 'https://api.api2gpt.com')],
  [13, creditGrants('total_available', 'https://api.aigc2d.com')],
  [
    5,
    {
      host: 'https://api.openai-sb.com',
      read: async ({ key, get }) => {
        const status = v.object({ msg: v.optional(v.string(), ''), data: v.nullish(v.object({ credit: numberText })) });
        const { data, msg } = await get(status, `/sb-api/user/status?api_key=${encodeURIComponent(key)}`);
        if (data === null || data === undefined) throw refusedBy(msg, key);
        return data.credit;
      },
    },
  ],
  [
    10,
    {
      host: 'https://aiproxy.io',
      read: async ({ key, get }) => {
        const overview = v.object({
          success: v.boolean(),
          message: v.optional(v.string(), ''),
          data: v.nullish(v.object({ totalPoints: number })),
        });
        const { success, message, data } = await get(overview, '/api/report/getUserOverview', { 'api-key': key });
        if (!success || data === null || data === undefined) throw refusedBy(message, key);
        return data.totalPoints;
      },
    },
  ],
  [
    20,
    {
      read: async ({ get }) => {
        const credits = v.object({ data: v.object({ total_credits: number, total_usage: number }) });
        const { data } = await get(credits, '/v1/credits');
        return data.total_credits - data.total_usage;
      },
    },
  ],
  [
    25,
    {
      read: async ({ get }) => {
        const account = v.object({ data: v.object({ available_balance: number }) });
        return (await get(account, '/v1/users/me/balance')).data.available_balance;
      },
    },
  ],
  [
    36,
    {
      read: async ({ get }) => {
        const account = v.object({
          balance_infos: v.array(v.object({ currency: v.string(), total_balance: numberText })),
        });
        const { balance_infos: balances } = await get(account, '/user/balance');
        const yuan = balances.find(({ currency }) => currency === 'CNY');
        if (yuan === undefined) throw refused('the account has no balance in CNY');
        return yuan.total_balance;
      },
    },
  ],
  [
    44,
    {
      read: async ({ key, get }) => {
        const account = v.object({
          code: v.number(),
          message: v.optional(v.string(), ''),
          data: v.nullish(v.object({ totalBalance: numberText })),
        });
        const { code, message, data } = await get(account, '/v1/user/info');
        if (code !== 20_000 || data === null || data === undefined) throw refusedBy(message, key);
        return data.totalBalance;
      },
    },
  ],
]);

/** Whether channels of a type have a balance to ask for. */
export const hasBalance = (type: number): boolean => sources.has(type);

const baseOf = ({ baseUrl, typeUrl }: BalanceChannel, { host }: BalanceSource): string => {
  const own = baseUrl !== '' && baseUrl !== typeUrl;
  // Pasted addresses often end with the version that every path here begins with.
  return (own ? baseUrl : (host ?? typeUrl)).replace(/\/v1$/, '');
};

/** Asks an upstream for the balance behind a channel's key. Rejects with `balance_unsupported` or `balance_failed`. */
export const createBalanceQuery =
  (call: Outbound) =>
  async (channel: BalanceChannel, now: Date): Promise<number> => {
    const source = sources.get(channel.type);
    if (source === undefined) throw new AppError('balance_unsupported');
    const base = baseOf(channel, source);
    if (base === '') throw new AppError('channel_address_invalid');
    const bearer = { authorization: `Bearer ${channel.key}` };
    const get: Question['get'] = async (schema, path, headers = bearer) => {
      const { status, text } = await call({ method: 'GET', url: `${base}${path}`, headers }).catch((error: unknown) => {
        throw error instanceof OutboundError ? refused(error.message, error) : error;
      });
      if (status !== 200) throw refused(`status code: ${status}`);
      const answer = readJson(schema, text);
      if (answer === undefined) throw refused('the answer has another form');
      return answer;
    };
    return source.read({ key: channel.key, now, get });
  };
