import { quotaText } from '../../billing/credits/quota-text.ts';
import type { Balance } from '../../store/ledger/postings.ts';
import { claimQuotaReminder } from '../../store/users/quota-reminders.ts';
import { findUser } from '../../store/users/users.ts';
import { quotaRunsOut } from '../notices.ts';
import { addressesOf, type ReminderDeps, sendTo } from './send-to-owner.ts';

/** Mails the owner of an account, or the managers of a team, when its balance falls under the threshold. */
export interface QuotaReminders {
  /** A charge was made; `balance` is what it left. */
  spent(charge: { readonly userId: number; readonly charged: number; readonly balance: Balance }): void;
}

/** Balances in memory. */
const seenMax = 100_000;

/**
 * A balance falls under the threshold where one charge finds it above and leaves it below. Charges that are written
 * together all report the balance after the last of them, so the balance seen before counts too. The node that finds
 * the fall claims the reminder in the database: it is sent once, until the account is credited again.
 */
export const createQuotaReminders = (deps: ReminderDeps): QuotaReminders => {
  const { db, options, mail, log } = deps;
  const seen = new Map<number, number>();
  const remember = (userId: number, left: number): void => {
    // Only charges that are being written now matter: dropping the sums costs next to nothing.
    if (seen.size >= seenMax) seen.clear();
    seen.set(userId, left);
  };
  const remind = async (userId: number, { available, held, used }: Balance): Promise<void> => {
    if (options.get('SMTPServer') === '') return;
    mail.check();
    const user = await findUser(db.read, userId);
    if (user === undefined) return;
    const addresses = await addressesOf(deps, user);
    if (addresses.length === 0) return;
    const left = available + held;
    if (!(await claimQuotaReminder(db, { userId, credited: left + used }))) return;
    const link = `${options.get('ServerAddress')}/${user.is_team === 1 ? `team/${user.id}` : 'topup'}`;
    const words = { none: left <= 0, en: quotaText(left, options, 'en'), zh: quotaText(left, options, 'zh') };
    await sendTo(deps, { user: userId, addresses }, quotaRunsOut({ left: words, link }));
  };
  return {
    spent: ({ userId, charged, balance }) => {
      const left = balance.available + balance.held;
      const before = Math.max(seen.get(userId) ?? 0, left + charged);
      remember(userId, left);
      const threshold = options.get('QuotaRemindThreshold');
      if (left >= threshold || before < threshold) return;
      remind(userId, balance).catch((error: unknown) =>
        log.warn({ err: error, user: userId }, 'quota reminder failed'),
      );
    },
  };
};
