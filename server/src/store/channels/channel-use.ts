import { sql } from 'kysely';
import type { Database } from '../database.ts';

interface UseQuestion {
  readonly channelId: number;
  /** Unix seconds / 3600. */
  readonly fromHour: number;
  readonly limit: number;
}

/** Requests and quota of a channel in whole hours, from the hourly sums. */
const usedSince = (db: Database, { channelId, fromHour }: UseQuestion) =>
  db.read
    .selectFrom('log_hours')
    .select((eb) => [eb.fn.sum<number>('requests').as('requests'), eb.fn.sum<number>('log_hours.quota').as('quota')])
    .where('channel_id', '=', channelId)
    .where('hour', '>=', fromHour);

const dearestFirst = sql`quota desc`;

/** The use of a channel by model, highest cost first. */
export const listChannelModels = async (db: Database, question: UseQuestion) => {
  const rows = await usedSince(db, question)
    .select('model_name')
    .groupBy('model_name')
    .orderBy(dearestFirst)
    .limit(question.limit)
    .execute();
  return rows.map(({ model_name, requests, quota }) => ({
    model: model_name,
    requests: Number(requests),
    quota: Number(quota),
  }));
};

/** The users of a channel, by key, highest cost first. */
export const listChannelKeys = async (db: Database, question: UseQuestion) => {
  const rows = await usedSince(db, question)
    .innerJoin('users', 'users.id', 'log_hours.user_id')
    .select(['users.username', 'log_hours.token_name'])
    .groupBy(['users.username', 'log_hours.token_name'])
    .orderBy(dearestFirst)
    .limit(question.limit)
    .execute();
  return rows.map((row) => ({
    username: row.username,
    token_name: row.token_name,
    requests: Number(row.requests),
    quota: Number(row.quota),
  }));
};

/** Requests and quota of every channel since an hour. */
export const sumUseByChannel = async (db: Database, fromHour: number) => {
  const rows = await db.read
    .selectFrom('log_hours')
    .select((eb) => [
      'channel_id',
      eb.fn.sum<number>('requests').as('requests'),
      eb.fn.sum<number>('log_hours.quota').as('quota'),
    ])
    .where('hour', '>=', fromHour)
    .groupBy('channel_id')
    .execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    requests: Number(row.requests),
    quota: Number(row.quota),
  }));
};
