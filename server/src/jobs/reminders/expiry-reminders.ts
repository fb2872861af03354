import { claimExpiryReminders, type ExpiringToken, findUnremindedTokens } from '../../store/users/expiry-reminders.ts';
import { startLoop } from '../loop.ts';
import { keysExpire } from '../notices.ts';
import { addressesOf, type Owner, type ReminderDeps, sendTo } from './send-to-owner.ts';

export interface ExpiryRemindersDeps extends ReminderDeps {
  readonly clock: { now(): number };
}

const pauseMs = 10 * 60_000;
const daySeconds = 86_400;
/** Tokens of one run; the next one takes the others. */
const tokensMax = 1000;

/**
 * Mails each owner of tokens that expire within `KeyExpiryRemindDays`, or the managers of the team, once for each expiry:
 * all of its tokens in one mail.
 */
export const remindOfExpiry = async (deps: ExpiryRemindersDeps, signal?: AbortSignal): Promise<void> => {
  const { db, options, mail, clock, log } = deps;
  const days = options.get('KeyExpiryRemindDays');
  if (days <= 0 || options.get('SMTPServer') === '') return;
  mail.check();
  const now = Math.floor(clock.now() / 1000);
  const found = await findUnremindedTokens(db, { now, before: now + days * daySeconds, limit: tokensMax });
  const remind = async (owner: Owner, tokens: readonly ExpiringToken[]): Promise<void> => {
    const addresses = await addressesOf(deps, owner);
    if (addresses.length === 0) return;
    const claimed = await claimExpiryReminders(db, tokens);
    const expiring = tokens.filter(({ id }) => claimed.has(id));
    if (expiring.length === 0) return;
    const path = owner.is_team === 1 ? `team/tokens/${owner.id}` : 'token';
    await sendTo(deps, { user: owner.id, addresses }, keysExpire(expiring, `${options.get('ServerAddress')}/${path}`));
  };
  for (const tokens of Map.groupBy(found, ({ user_id: id }) => id).values()) {
    const [first] = tokens;
    if (first === undefined || signal?.aborted === true) return;
    const owner = { id: first.user_id, email: first.email, is_team: first.is_team };
    await remind(owner, tokens).catch((error: unknown) =>
      log.warn({ err: error, user: owner.id }, 'expiry reminder failed'),
    );
  }
};

/** Looks every ten minutes, until the returned function ends it. */
export const startExpiryReminders = (
  deps: ExpiryRemindersDeps & { readonly onError: (error: unknown) => void },
): (() => Promise<void>) =>
  startLoop((signal) => remindOfExpiry(deps, signal), { pauseMs, firstMs: pauseMs }, deps.onError);
