import { sql } from 'kysely';
import type { Database, WriteQueries } from '../database.ts';

/** How the wait grows: `free` attempts at once, then one after each of `delays` (seconds), the last of them for good. */
export interface AttemptRule {
  readonly free: number;
  readonly delays: readonly number[];
}

interface Attempt {
  readonly subject: string;
  readonly rule: AttemptRule;
  /** Unix seconds. */
  readonly now: number;
}

/** Until when the next has to wait after the attempt that raises `tries` by one. 0 for a free one: clocks of nodes differ. */
const blockedUntil = ({ free, delays }: AttemptRule) => {
  const cases = delays.map((delay, index) => sql`when ${sql.lit(free + index)} then ${sql.lit(delay)}`);
  const longest = sql.lit(delays.at(-1) ?? 0);
  return sql<number>`case when attempts.tries + 1 < ${sql.lit(free)} then 0 else excluded.last_at + case attempts.tries + 1 ${sql.join(cases, sql` `)} else ${longest} end end`;
};

/**
 * Counts an attempt before it is made. False: it has to wait, and was not counted. Both in one statement, so that of
 * attempts made at once none is looked at beyond what the rule allows.
 */
export const countAttempt = async (db: Database, { subject, rule, now }: Attempt): Promise<boolean> => {
  const counted = await db.write
    .insertInto('attempts')
    .values({ subject, tries: 1, last_at: now, blocked_until: 0 })
    .onConflict((on) =>
      on
        .column('subject')
        .doUpdateSet((eb) => ({
          tries: eb('attempts.tries', '+', 1),
          last_at: eb.ref('excluded.last_at'),
          blocked_until: blockedUntil(rule),
        }))
        .whereRef('attempts.blocked_until', '<=', 'excluded.last_at'),
    )
    .returning('tries')
    .executeTakeFirst();
  return counted !== undefined;
};

/** Whether an attempt would have to wait. `now`: unix seconds. */
export const isBlocked = async (db: Database, subject: string, now: number): Promise<boolean> =>
  (await db.read
    .selectFrom('attempts')
    .select('tries')
    .where('subject', '=', subject)
    .where('blocked_until', '>', now)
    .executeTakeFirst()) !== undefined;

interface Window {
  readonly subject: string;
  /** This many within `seconds`, counted from the first of them. */
  readonly max: number;
  readonly seconds: number;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Counts something that may be done a number of times within a time. False: it was done so often, and is not counted.
 * What is counted in a transaction that fails was not done.
 */
export const countWithin = async (query: WriteQueries, { subject, max, seconds, now }: Window): Promise<boolean> => {
  const isOver = sql<boolean>`attempts.blocked_until <= excluded.last_at`;
  const counted = await query
    .insertInto('attempts')
    .values({ subject, tries: 1, last_at: now, blocked_until: now + seconds })
    .onConflict((on) =>
      on
        .column('subject')
        .doUpdateSet((eb) => ({
          tries: sql<number>`case when ${isOver} then 1 else attempts.tries + 1 end`,
          last_at: eb.ref('excluded.last_at'),
          blocked_until: sql<number>`case when ${isOver} then excluded.blocked_until else attempts.blocked_until end`,
        }))
        .where(sql<boolean>`${isOver} or attempts.tries < ${sql.lit(max)}`),
    )
    .returning('tries')
    .executeTakeFirst();
  return counted !== undefined;
};

/** Takes back one that `countWithin` counted, while the time it was counted in lasts. `now`: unix seconds. */
export const forgiveWithin = (db: Database, { subject, now }: Pick<Window, 'subject' | 'now'>) =>
  db.write
    .updateTable('attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('subject', '=', subject)
    .where('tries', '>', 0)
    .where('blocked_until', '>', now)
    .execute();

/** An attempt that succeeded: the count begins anew. */
export const clearAttempts = (db: Database, subject: string) =>
  db.write.deleteFrom('attempts').where('subject', '=', subject).execute();

/** Deletes subjects without attempts since `before` (unix seconds). */
export const deleteOldAttempts = (db: Database, before: number) =>
  db.write.deleteFrom('attempts').where('last_at', '<', before).execute();
