import type { Database } from '../database.ts';

/**
 * Takes the right to remind an account's owner: once for each sum that was credited to it in all, whichever node or
 * request asks first. False: that was done.
 */
export const claimQuotaReminder = async (
  db: Database,
  { userId, credited }: { readonly userId: number; readonly credited: number },
): Promise<boolean> => {
  const claimed = await db.write
    .insertInto('quota_reminders')
    .values({ user_id: userId, credited })
    .onConflict((on) =>
      on
        .column('user_id')
        .doUpdateSet((eb) => ({ credited: eb.ref('excluded.credited') }))
        .whereRef('quota_reminders.credited', '<>', 'excluded.credited'),
    )
    .returning('user_id')
    .executeTakeFirst();
  return claimed !== undefined;
};
