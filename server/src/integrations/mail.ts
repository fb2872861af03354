import type { OptionKey } from '@weir/contract/options';
import { createTransport } from 'nodemailer';
import { AppError } from '../errors.ts';

export interface Message {
  /** One address, or several joined by `;`. */
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

/** Sends mail through the server that the options name, read at each mail. */
export interface Mail {
  /**
   * Resolves once the mail server took the message. Throws `mail_not_configured`, `mail_without_receiver`,
   * `mail_unreachable`, `mail_insecure`, `mail_login_refused` or `mail_refused`.
   */
  send(message: Message): Promise<void>;
  /** Throws `mail_not_configured` where nothing could be sent at all. */
  check(): void;
}

interface MailDeps {
  readonly options: { text(key: OptionKey): string };
  /** The port with TLS from the start; absent: 465, the standard (RFC 8314). */
  readonly implicitTlsPort?: number;
}

/** Milliseconds for each step; an unresponsive mail server must not delay a request for longer. */
const patience = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Characters of a mail server's refusal that are passed on. */
const replyMax = 200;

/** The gateway's name in mails, also where none is set. */
export const mailName = (options: MailDeps['options']): string => options.text('SystemName').trim() || 'Weir';

const isThisMachine = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly account: string;
  readonly password: string;
  readonly from: string;
}

const readSettings = (options: MailDeps['options']): Settings => {
  const account = options.text('SMTPAccount');
  const settings = {
    host: options.text('SMTPServer').trim(),
    port: Number(options.text('SMTPPort')),
    account,
    password: options.text('SMTPToken'),
    from: options.text('SMTPFrom').trim() || account,
  };
  if (settings.host === '' || settings.from === '') throw new AppError('mail_not_configured');
  return settings;
};

/**
 * The rules of wire contract 5.6: TLS from the start at port 465; at another one STARTTLS where there is an account to
 * keep secret, which may be missing on this machine only; neither account nor password: plain. Certificates are
 * verified, which the reference does not do.
 */
const transportFor = ({ host, port, account, password }: Settings, implicitTlsPort: number) => {
  const hasAccount = account !== '' && password !== '';
  const secure = port === implicitTlsPort;
  return createTransport({
    host,
    port,
    secure,
    ignoreTLS: !hasAccount,
    requireTLS: hasAccount && !secure && !isThisMachine(host),
    ...(hasAccount ? { auth: { user: account, pass: password } } : {}),
    ...patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

const field = (error: object, name: string): unknown => Object.getOwnPropertyDescriptor(error, name)?.value;

/** The failure as the requesting user sees it. */
const toAppError = (error: unknown): AppError => {
  if (!(error instanceof Error)) return new AppError('mail_unreachable', {}, error);
  const code = field(error, 'code');
  const reply = field(error, 'response');
  if (code === 'EAUTH') return new AppError('mail_login_refused', {}, error);
  if (code === 'ETLS' || /certificate/i.test(error.message)) return new AppError('mail_insecure', {}, error);
  if (typeof reply === 'string' && reply !== '') {
    return new AppError('mail_refused', { reply: reply.slice(0, replyMax) }, error);
  }
  return new AppError('mail_unreachable', {}, error);
};

/** A plain address, whatever it contains: nothing in it is read as a list or a name. */
const plainAddress = (address: string) => ({ name: '', address: address.trim() });

export const createMail = ({ options, implicitTlsPort = 465 }: MailDeps): Mail => ({
  check: () => void readSettings(options),
  send: async ({ to, subject, html }) => {
    const settings = readSettings(options);
    const receivers = to.split(';').map(plainAddress);
    if (receivers.some(({ address }) => address === '')) throw new AppError('mail_without_receiver');
    // An account that is a mere name cannot be where a mail comes from.
    const sender = settings.account.includes('@') ? settings.account : settings.from;
    const transport = transportFor(settings, implicitTlsPort);
    try {
      await transport.sendMail({
        from: { name: mailName(options), address: settings.from },
        to: receivers,
        envelope: { from: sender, to: receivers.map(({ address }) => address) },
        subject,
        html,
      });
    } catch (error) {
      throw toAppError(error);
    } finally {
      transport.close();
    }
  },
});
