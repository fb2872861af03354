import { channelStatus } from '@weir/contract/channels';
import { tokenStatus } from '@weir/contract/tokens';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

type Reader = Pick<Database, 'read'>;

/** Some rows in a fixed order, and the number of all. */
export interface Some<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** Enabled accounts that used quota and have less than `below` left. */
export const findLowBalances = async (
  { read }: Reader,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<Some<{ readonly id: number; readonly username: string; readonly left: number }>> => {
  const low = read
    .selectFrom('users')
    .where('status', '=', 1)
    .where('used', '>', 0)
    .where(sql<number>`available + held`, '<', below);
  const [rows, counted] = await Promise.all([
    low
      .select(['id', 'username', sql<number>`available + held`.as('left')])
      .orderBy('id')
      .limit(limit)
      .execute(),
    low.select((eb) => eb.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map((row) => ({ ...row, left: Number(row.left) })), count: Number(counted.count) };
};

/** Enabled keys that expire between two times. */
export const findExpiringKeys = async (
  { read }: Reader,
  { from, before, limit }: { readonly from: number; readonly before: number; readonly limit: number },
): Promise<
  Some<{ readonly id: number; readonly name: string; readonly username: string; readonly expired_time: number }>
> => {
  const expiring = read
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .where('tokens.deleted_time', '=', 0)
    .where('tokens.status', '=', tokenStatus.enabled)
    .where('tokens.expired_time', '>=', from)
    .where('tokens.expired_time', '<', before);
  const [rows, counted] = await Promise.all([
    expiring
      .select(['tokens.id', 'tokens.name', 'users.username', 'tokens.expired_time'])
      .orderBy('tokens.id')
      .limit(limit)
      .execute(),
    expiring.select((eb) => eb.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, count: Number(counted.count) };
};

/** Channels that the system disabled, each with the reason. */
export const findDisabledChannels = ({ read }: Reader) =>
  read
    .selectFrom('channels')
    .select(['id', 'name', 'status_reason'])
    .where('status', '=', channelStatus.autoDisabled)
    .orderBy('id')
    .execute();

/** The own base URLs of enabled channels. */
export const listBaseUrls = async ({ read }: Reader): Promise<readonly string[]> => {
  const rows = await read
    .selectFrom('channels')
    .select('base_url')
    .distinct()
    .where('status', '=', channelStatus.enabled)
    .where('base_url', '<>', '')
    .orderBy('base_url')
    .execute();
  return rows.map((row) => row.base_url);
};

/** Attempts of enabled channels since the beginning of a slot, by outcome and band. */
export const sumEnabledAttempts = async ({ read }: Reader, fromSlot: number) => {
  const rows = await read
    .selectFrom('channel_attempts')
    .innerJoin('channels', 'channels.id', 'channel_attempts.channel_id')
    .select((eb) => [
      'channels.id',
      'channels.name',
      'channel_attempts.outcome',
      'channel_attempts.band',
      eb.fn.sum<number | string>('channel_attempts.count').as('count'),
    ])
    .where('channels.status', '=', channelStatus.enabled)
    .where('channel_attempts.slot', '>=', fromSlot)
    .groupBy(['channels.id', 'channels.name', 'channel_attempts.outcome', 'channel_attempts.band'])
    .orderBy('channels.id')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
};

/** Recorded refusals of a rule since a time, by model. */
export const countRefusedModels = async (
  { read }: Reader,
  { rule, from }: { readonly rule: string; readonly from: number },
) => {
  const rows = await read
    .selectFrom('refusals')
    .select((eb) => ['model_name', eb.fn.countAll<number | string>().as('count')])
    .where('created_at', '>=', from)
    .where('rule', '=', rule)
    .groupBy('model_name')
    .orderBy('model_name')
    .execute();
  return rows.map(({ model_name, count }) => ({ model: model_name, count: Number(count) }));
};

/** Quota that all users spent, by hour since 1970; hours without any are left out. */
export const sumSpentHours = async (
  { read }: Reader,
  hours: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const rows = await read
    .selectFrom('log_hours')
    .select((eb) => ['hour', eb.fn.sum<number | string>('quota').as('quota')])
    .where('hour', 'in', hours)
    .groupBy('hour')
    .execute();
  return new Map(rows.map(({ hour, quota }) => [hour, Number(quota)]));
};
