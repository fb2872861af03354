import type { Database, WriteQueries } from '../database.ts';

/** The purpose of a code, and its owner: one code each, a new one replaces it. */
export interface CodeOwner {
  /** `email`: shows that an address is one's own. `reset`: allows a new password. */
  readonly purpose: 'email' | 'reset';
  /** An e-mail address, or a user's id. */
  readonly subject: string;
}

/** A code as the database knows it: never itself, only its keyed digest. */
export interface Code extends CodeOwner {
  readonly digest: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Stores a code, replacing the one before. */
export const saveCode = async (
  query: WriteQueries,
  { now, lifetime, ...code }: Code & { /** Seconds. */ readonly lifetime: number },
): Promise<void> => {
  const values = { ...code, tries: 0, created_at: now, expires_at: now + lifetime };
  await query
    .insertInto('codes')
    .values(values)
    .onConflict((on) => on.columns(['purpose', 'subject']).doUpdateSet(values))
    .execute();
};

/**
 * Counts a try, durably and before it is looked at, so that of guesses made at once no more than `triesMax` are. Whether
 * it was right, in time and not one too many. `takeCode` uses the code up.
 */
export const tryCode = async (
  db: Database,
  { purpose, subject, digest, now, triesMax }: Code & { readonly triesMax: number },
): Promise<boolean> => {
  const code = await db.write
    .updateTable('codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('expires_at', '>', now)
    .where('tries', '<', triesMax)
    .returning('digest')
    .executeTakeFirst();
  return code?.digest === digest;
};

/** Uses up a code that was tried, in the transaction of what it allows. False: it is used up, replaced or too old. */
export const takeCode = async (query: WriteQueries, { purpose, subject, digest, now }: Code): Promise<boolean> => {
  const { numDeletedRows } = await query
    .deleteFrom('codes')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Removes expired codes. */
export const deleteExpiredCodes = (db: Database, now: number) =>
  db.write.deleteFrom('codes').where('expires_at', '<=', now).execute();
