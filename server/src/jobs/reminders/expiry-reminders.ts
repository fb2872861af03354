import { type Mail, mailName } from '../../integrations/mail.ts';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { claimExpiryReminders, type ExpiringToken, findUnremindedTokens } from '../../store/users/expiry-reminders.ts';
import { asMail, keysExpire } from '../notices.ts';

export interface ExpiryRemindersDeps {
  readonly db: Database;
  readonly options: Options;
  readonly mail: Mail;
  readonly clock: { now(): number };
  readonly log: { warn(facts: object, message: string): void };
}

const everyMs = 10 * 60_000;
const daySeconds = 86_400;
/** Tokens of one run; the next one takes the others. */
const tokensMax = 1000;

/** Mails each owner of tokens that expire within `KeyExpiryRemindDays` once for each expiry: all of its tokens in one mail. */
export const remindOfExpiry = async ({ db, options, mail, clock, log }: ExpiryRemindersDeps): Promise<void> => {
  const days = options.get('KeyExpiryRemindDays');
  if (days <= 0 || options.get('SMTPServer') === '') return;
  mail.check();
  const now = Math.floor(clock.now() / 1000);
  const found = await findUnremindedTokens(db, { now, before: now + days * daySeconds, limit: tokensMax });
  const remind = async (tokens: readonly ExpiringToken[], email: string): Promise<void> => {
    const claimed = await claimExpiryReminders(db, tokens);
    const expiring = tokens.filter(({ id }) => claimed.has(id));
    if (expiring.length === 0) return;
    const notice = keysExpire(expiring, `${options.get('ServerAddress')}/token`);
    await mail.send({ to: email, ...asMail(notice, mailName(options)) });
  };
  for (const [userId, tokens] of Map.groupBy(found, ({ user_id: id }) => id))
    await remind(tokens, tokens[0]?.email ?? '').catch((error: unknown) =>
      log.warn({ err: error, user: userId }, 'expiry reminder failed'),
    );
};

/** Looks every ten minutes, until the returned function ends it. */
export const startExpiryReminders = (
  deps: ExpiryRemindersDeps & { readonly onError: (error: unknown) => void },
): (() => void) => {
  const timer = setInterval(() => void remindOfExpiry(deps).catch(deps.onError), everyMs).unref();
  return () => clearInterval(timer);
};
