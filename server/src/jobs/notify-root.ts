import { type Mail, mailName } from '../integrations/mail.ts';
import type { Options } from '../store/options.ts';
import type { Database } from '../store/database.ts';
import { findRootAddress } from '../store/users/users.ts';
import { asMail, type Notice } from './notices.ts';

/**
 * Notifies root by message pusher where one is configured, else by mail. Never throws; a notice that cannot be sent is
 * logged.
 */
export type NotifyRoot = (notice: Notice) => void;

export interface NotifyRootDeps {
  readonly db: Database;
  readonly options: Options;
  /** Rejects where the pusher does not accept the message. */
  readonly push: (
    pusher: { readonly address: string; readonly token: string },
    message: { readonly title: string; readonly content: string },
  ) => Promise<void>;
  readonly mail: Mail;
  readonly log: { warn(facts: object, message: string): void };
}

export const createNotifyRoot = ({ db, options, push, mail, log }: NotifyRootDeps): NotifyRoot => {
  const byPusher = async ({ subject, html }: Notice): Promise<boolean> => {
    const address = options.get('MessagePusherAddress');
    if (address === '') return false;
    try {
      await push({ address, token: options.get('MessagePusherToken') }, { title: subject, content: html });
      return true;
    } catch (error) {
      log.warn({ err: error }, 'message pusher failed; sending the notice by e-mail');
      return false;
    }
  };
  const send = async (notice: Notice): Promise<void> => {
    if (await byPusher(notice)) return;
    const to = await findRootAddress(db.read);
    if (to === '' || options.get('SMTPServer') === '')
      return log.warn(
        { subject: notice.subject },
        'notice not sent: set up a message pusher, or a mail server and an e-mail address of root',
      );
    await mail.send({ to, ...asMail(notice, mailName(options)) });
  };
  return (notice) => {
    send(notice).catch((error: unknown) => log.warn({ err: error, subject: notice.subject }, 'notice to root failed'));
  };
};
