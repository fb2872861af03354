import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', 'tls', name), 'utf8');

/** The path of the certificate, for a process of its own (`NODE_EXTRA_CA_CERTS`). */
export const localCertificate = join(import.meta.dirname, '..', 'tls', 'localhost-cert.pem');

/** Makes this process trust the certificate of the test servers until the returned function is called. */
export const trustLocalCertificate = (): (() => void) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, read('localhost-cert.pem')]);
  return () => setDefaultCACertificates(before);
};

/** A message as it arrived. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** The account that sent it; undefined: sent without authentication. */
  readonly account: string | undefined;
  readonly mail: Email;
  /** The message, headers and all. */
  readonly source: string;
}

export interface MailServerOptions {
  readonly secure?: true;
  /** The only account that may send; absent: no authentication is needed. */
  readonly account?: { readonly user: string; readonly pass: string };
  /** Offers no STARTTLS. */
  readonly plain?: true;
  /** Receivers that are refused. */
  readonly unknown?: readonly string[];
}

/** A real mail server on a free port of this machine. */
export interface MailServer {
  readonly port: number;
  /** The oldest unread message; waits for one. */
  next(): Promise<Received>;
  /** Messages that no test has read. */
  readonly waiting: readonly Received[];
  close(): Promise<void>;
}

const refusal = (text: string, responseCode: number): Error => Object.assign(new Error(text), { responseCode });

const rulesOf = ({ secure, account, plain, unknown = [] }: MailServerOptions): SMTPServerOptions => ({
  secure: secure === true,
  key: read('localhost-key.pem'),
  cert: read('localhost-cert.pem'),
  authOptional: account === undefined,
  hideSTARTTLS: plain === true,
  allowInsecureAuth: plain === true,
  disabledCommands: [...(plain === true ? ['STARTTLS'] : []), ...(account === undefined ? ['AUTH'] : [])],
  onAuth: ({ username, password }, _session, done) => {
    if (account !== undefined && username === account.user && password === account.pass) done(null, { user: username });
    else done(refusal('Authentication credentials invalid', 535));
  },
  onRcptTo: ({ address }, _session, done) =>
    done(unknown.includes(address) ? refusal(`No such mailbox: ${address}`, 550) : null),
});

export const startMailServer = async (options: MailServerOptions = {}): Promise<MailServer> => {
  const messages: Received[] = [];
  const takers: ((message: Received) => void)[] = [];
  const arrive = (message: Received) => {
    const taker = takers.shift();
    if (taker === undefined) messages.push(message);
    else taker(message);
  };
  const server = new SMTPServer({
    ...rulesOf(options),
    onData: (stream, { envelope, secure, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        done();
        const source = Buffer.concat(chunks);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        // The value that `onAuth` returned: the name.
        const account = user === undefined ? undefined : String(user);
        const delivery = { from, to, secure, account, source: source.toString() };
        void PostalMime.parse(source).then((mail) => arrive({ ...delivery, mail }));
      });
    },
  });
  // A broken client connection is not a server error.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    waiting: messages,
    next: () => {
      const first = messages.shift();
      return first === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(first);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
