import type { Selectable } from 'kysely';
import type { Database, WriteQueries } from '../database.ts';
import type { SessionsTable } from '../schema.ts';

export type SessionRow = Selectable<SessionsTable>;

/** Sessions of one user at once; a further sign-in ends the oldest. */
const sessionsPerUser = 20;

/** Stores a session under the SHA-256 of its cookie's value. */
export const insertSession = async (db: Database, session: SessionRow): Promise<void> => {
  await db.write.insertInto('sessions').values(session).execute();
  if (session.user_id === 0) return;
  const surplus = await db.read
    .selectFrom('sessions')
    .select('digest')
    .where('user_id', '=', session.user_id)
    .orderBy('created_at', 'desc')
    .offset(sessionsPerUser)
    .limit(sessionsPerUser)
    .execute();
  if (surplus.length === 0) return;
  await db.write
    .deleteFrom('sessions')
    .where(
      'digest',
      'in',
      surplus.map((row) => row.digest),
    )
    .execute();
};

/** A session that is not over yet. `now`: unix seconds. */
export const findSession = (db: Database, digest: string, now: number): Promise<SessionRow | undefined> =>
  db.read
    .selectFrom('sessions')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const touchSession = (db: Database, digest: string, now: number) =>
  db.write.updateTable('sessions').set({ seen_at: now }).where('digest', '=', digest).execute();

/** Stores what a session remembers, if that is still `from`: of changes made at once each sees the one before. */
export const changeSessionData = async (
  db: Database,
  { digest, from, to }: { readonly digest: string; readonly from: string; readonly to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db.write
    .updateTable('sessions')
    .set({ data: to })
    .where('digest', '=', digest)
    .where('data', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Lets a session end at `at` (unix seconds) if it would last longer. */
export const endSessionAt = (db: Database, digest: string, at: number) =>
  db.write
    .updateTable('sessions')
    .set({ expires_at: at })
    .where('digest', '=', digest)
    .where('expires_at', '>', at)
    .execute();

export const deleteSession = (db: Database, digest: string) =>
  db.write.deleteFrom('sessions').where('digest', '=', digest).execute();

/** Ends every session of a user but the one kept; empty text keeps none. */
export const deleteSessionsOf = (
  query: WriteQueries,
  { userId, keep }: { readonly userId: number; readonly keep: string },
) => query.deleteFrom('sessions').where('user_id', '=', userId).where('digest', '!=', keep).execute();

export const deleteExpiredSessions = (db: Database, now: number) =>
  db.write.deleteFrom('sessions').where('expires_at', '<=', now).execute();
