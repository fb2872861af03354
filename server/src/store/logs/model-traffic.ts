import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type HourRange, readSummedDays, splitHours } from './log-marks.ts';
import { hoursPerDay } from './log-sum-tables.ts';

/** What the users of a group used of a model on a channel. */
export interface ModelTraffic {
  readonly model: string;
  /** The group that the users have now. */
  readonly group: string;
  readonly channelId: number;
  readonly requests: number;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Nano-dollars; null: the cost of some of the calls is not known. */
  readonly cost: number | null;
}

type TrafficRow = { readonly [Name in Exclude<keyof ModelTraffic, 'model' | 'group'> | 'costed']: number | string } & {
  readonly model: string;
  readonly group: string;
};

const sums = sql`sum(requests) as requests, sum(quota) as quota, sum(prompt_tokens) as prompt,
  sum(completion_tokens) as completion, sum(cost) as cost, sum(costed) as costed`;

/** Sums by user and the columns: of whole days where they are summed, each user's by the key; else of hours. */
const usedIn = async (db: Database, range: HourRange, columns: readonly ('model_name' | 'channel_id')[]) => {
  const read = sql.join(['user_id', ...columns].map((column) => sql.ref(column)));
  const stretches = splitHours(range, await readSummedDays(db.read));
  const pieces = stretches.map(({ unit, from, before }) =>
    unit === 'day'
      ? sql`select ${read}, ${sums} from users cross join log_days_by_user
          where user_id = users.id and day >= ${from} and day < ${before} group by ${read}`
      : sql`select ${read}, ${sums} from log_hours where hour >= ${from} and hour < ${before} group by ${read}`,
  );
  return sql.join(pieces, sql` union all `);
};

const costOf = ({ quota, costed, cost }: TrafficRow): number | null => {
  const nanos = Number(cost);
  return Number(quota) === Number(costed) && nanos > 0 && Number.isSafeInteger(nanos) ? nanos : null;
};

/** The whole hours of some days up to now. */
export const hoursOfDays = (days: number, nowMs: number): HourRange => {
  const before = Math.floor(nowMs / 3_600_000) + 1;
  return { from: before - days * hoursPerDay, before };
};

/** Consumption of all users by model, group and channel: from the sums alone, whatever the number of calls. */
export const sumModelTraffic = async (db: Database, range: HourRange): Promise<ModelTraffic[]> => {
  const used = await usedIn(db, range, ['model_name', 'channel_id']);
  const traffic = sql<TrafficRow>`(select model_name as model, users."group" as "group",
      channel_id as "channelId", sum(used.requests) as requests, sum(used.quota) as quota,
      sum(used.prompt) as "promptTokens", sum(used.completion) as "completionTokens",
      sum(used.cost) as cost, sum(used.costed) as costed
    from (${used}) as used join users on users.id = used.user_id group by 1, 2, 3)`.as('traffic');
  const rows = await db.read.selectFrom(traffic).selectAll().execute();
  return rows.map((row) => ({
    model: row.model,
    group: row.group,
    channelId: Number(row.channelId),
    requests: Number(row.requests),
    quota: Number(row.quota),
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    cost: costOf(row),
  }));
};

/** A user of a model: one of those with the most calls of it. */
export interface ModelUser {
  readonly model: string;
  readonly userId: number;
  readonly name: string;
  readonly requests: number;
  /** The number of all users of the model. */
  readonly users: number;
}

/** The users with the most calls of each model. */
export const topModelUsers = async (db: Database, range: HourRange, top: number): Promise<ModelUser[]> => {
  const used = await usedIn(db, range, ['model_name']);
  const ranked = sql<{
    readonly model: string;
    readonly userId: number;
    readonly name: string | null;
    readonly requests: number | string;
    readonly users: number | string;
  }>`(select ranked.model, ranked.user_id as "userId", users.username as name, ranked.requests, ranked.users
    from (select model_name as model, user_id, sum(requests) as requests, count(*) over (partition by model_name) as users,
        row_number() over (partition by model_name order by sum(requests) desc, user_id) as place
      from (${used}) as used group by model_name, user_id) as ranked
    left join users on users.id = ranked.user_id where ranked.place <= ${sql.lit(top)})`.as('ranked');
  const rows = await db.read.selectFrom(ranked).selectAll().execute();
  return rows.map(({ model, userId, name, requests, users }) => ({
    model,
    userId: Number(userId),
    name: name ?? '',
    requests: Number(requests),
    users: Number(users),
  }));
};
