import { type Mail, mailName } from '../../integrations/mail.ts';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { listManagerMails } from '../../store/teams/teams.ts';
import { asMail, type Notice } from '../notices.ts';

export interface ReminderDeps {
  readonly db: Database;
  readonly options: Options;
  readonly mail: Mail;
  readonly log: { warn(facts: object, message: string): void };
}

/** An account: of a user, or of a team. */
export interface Owner {
  readonly id: number;
  readonly email: string;
  readonly is_team: number;
}

/** Those who are reminded: a user, or the managers of a team; none without a mail address. */
export const addressesOf = async ({ db }: Pick<ReminderDeps, 'db'>, owner: Owner): Promise<readonly string[]> => {
  if (owner.is_team === 1) return listManagerMails(db.read, owner.id);
  return owner.email === '' ? [] : [owner.email];
};

/** One mail to each address. One that cannot be sent does not keep the others. */
export const sendTo = async (
  { options, mail, log }: Omit<ReminderDeps, 'db'>,
  { user, addresses }: { readonly user: number; readonly addresses: readonly string[] },
  notice: Notice,
): Promise<void> => {
  const message = asMail(notice, mailName(options));
  for (const to of addresses)
    await mail.send({ to, ...message }).catch((error: unknown) => log.warn({ err: error, user }, 'reminder failed'));
};
