import { expect, test } from 'vitest';
import { inspect } from 'node:util';
import { isOptionKey, type OptionKey } from '@weir/contract/options';
import {
  type MailServer,
  type MailServerOptions,
  startMailServer,
  trustLocalCertificate,
} from '../../test/fakes/services/mail-server.ts';
import { AppError, publicText } from '../errors.ts';
import { createMail, mailName } from './mail.ts';

const account = { user: 'weir@mail.example', pass: 'canary-mail-password' };
/** Another name of this machine, which the rules do not know for it. */
const elsewhere = '127.1';
const letter = { to: 'ada@example.com', subject: 'Grüße 你好', html: '<p>Hello 你好</p>' };

const options = new Map<OptionKey, string>();
const mailOptions = { text: (key: OptionKey) => options.get(key) ?? '' };
const mail = createMail({ options: mailOptions });

const set = (values: Partial<Record<OptionKey, string>>): void => {
  options.clear();
  for (const [key, value] of Object.entries({ SMTPServer: 'localhost', SystemName: 'Weir', ...values })) {
    if (isOptionKey(key)) options.set(key, value);
  }
};
const withAccount = { SMTPAccount: account.user, SMTPToken: account.pass };

/** A mail server that the options name. */
const withServer = async (
  kind: MailServerOptions,
  values: Partial<Record<OptionKey, string>>,
  run: (server: MailServer) => Promise<void>,
): Promise<void> => {
  const distrust = trustLocalCertificate();
  const server = await startMailServer(kind);
  try {
    set({ SMTPPort: String(server.port), ...values });
    await run(server);
  } finally {
    await server.close();
    distrust();
  }
};

const failureOf = async (sending: Promise<void>): Promise<AppError> => {
  const error = await sending.then(
    () => new Error('it was sent'),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error;
};

test('OPT-SMTPServer OPT-SMTPPort OPT-SMTPAccount OPT-SMTPToken mail goes through STARTTLS and signs in', () =>
  withServer({ account }, withAccount, async (server) => {
    await mail.send(letter);
    const { mail: received, source, ...delivery } = await server.next();
    expect(delivery).toEqual({ from: account.user, to: ['ada@example.com'], secure: true, account: account.user });
    expect(received).toMatchObject({
      from: { name: 'Weir', address: account.user },
      to: [{ address: 'ada@example.com' }],
      subject: 'Grüße 你好',
    });
    expect(received.html).toContain('<p>Hello 你好</p>');
    expect(received.messageId).toMatch(/^<[^@\s]+@mail\.example>$/);
    expect(source).toMatch(/^Content-Type: text\/html; charset=utf-8$/m);
    expect(source).toMatch(/^Date: \w{3}, \d{2} \w{3} \d{4} [\d:]{8} [+-]\d{4}$/m);
    expect(source).toMatch(/^Subject: =\?UTF-8\?/m);
  }));

test('OPT-SMTPPort the port of implicit TLS is spoken to in TLS from the first byte', () =>
  withServer({ account, secure: true }, withAccount, async (server) => {
    await createMail({ options: mailOptions, implicitTlsPort: server.port }).send(letter);
    expect(await server.next()).toMatchObject({ secure: true, account: account.user });
  }));

test('OPT-SMTPFrom the sender that people see may be another than the account; the envelope has the account', () =>
  withServer(
    { account },
    { ...withAccount, SMTPFrom: 'hello@weir.example', SystemName: 'Ada, "Weir" <x>\r\nBcc: e@x' },
    async (server) => {
      await mail.send(letter);
      const { from, mail: received, source } = await server.next();
      expect(from).toBe(account.user);
      expect(received.from?.address).toBe('hello@weir.example');
      expect(received.from?.name).toContain('Ada, "Weir"');
      expect(source).not.toMatch(/^Bcc:/m);
    },
  ));

test('C53 mails have a sender and a title where the gateway has no name', () =>
  withServer({ account }, { ...withAccount, SystemName: ' ' }, async (server) => {
    await mail.send(letter);
    expect((await server.next()).mail.from).toMatchObject({ name: 'Weir' });
    expect(mailName(mailOptions)).toBe('Weir');
    options.set('SystemName', 'River House');
    expect(mailName(mailOptions)).toBe('River House');
  }));

test('an account that is no address leaves the envelope to the sender', () =>
  withServer(
    { account: { user: 'apikey', pass: 'x' } },
    { SMTPAccount: 'apikey', SMTPToken: 'x', SMTPFrom: 'hello@weir.example' },
    async (server) => {
      await mail.send(letter);
      expect(await server.next()).toMatchObject({ from: 'hello@weir.example', account: 'apikey' });
    },
  ));

test('without an account the mail is handed over plainly, whatever the server offers', () =>
  withServer({}, { SMTPFrom: 'hello@weir.example' }, async (server) => {
    await mail.send({ ...letter, to: 'ada@example.com; bob@example.com' });
    expect(await server.next()).toMatchObject({ secure: false, to: ['ada@example.com', 'bob@example.com'] });
  }));

test('on this machine an account may go without encryption where none is offered', () =>
  withServer({ account, plain: true }, withAccount, async (server) => {
    await mail.send(letter);
    expect(await server.next()).toMatchObject({ secure: false, account: account.user });
  }));

test('no credentials are sent to a remote server that offers no encryption', () =>
  withServer({ account, plain: true }, { ...withAccount, SMTPServer: elsewhere }, async (server) => {
    await expect(mail.send(letter)).rejects.toMatchObject({ code: 'mail_insecure' });
    expect(server.waiting).toEqual([]);
  }));

test('no credentials are sent to a server whose certificate is not trusted', async () => {
  const server = await startMailServer({ account });
  try {
    set({ ...withAccount, SMTPPort: String(server.port) });
    await expect(mail.send(letter)).rejects.toMatchObject({ code: 'mail_insecure' });
    const implicit = createMail({ options: mailOptions, implicitTlsPort: server.port });
    await expect(implicit.send(letter)).rejects.toBeInstanceOf(AppError);
    expect(server.waiting).toEqual([]);
  } finally {
    await server.close();
  }
});

test('errors of a refused account and a refused receiver name them, without the password', () =>
  withServer({ account, unknown: ['unknown@example.com'] }, withAccount, async (server) => {
    const refused = await failureOf(mail.send({ ...letter, to: 'unknown@example.com' }));
    expect(publicText(refused, 'en')).toBe(
      'Failed to send email: the mail server replied: 550 No such mailbox: unknown@example.com',
    );
    options.set('SMTPToken', 'canary-wrong-password');
    const unknown = await failureOf(mail.send(letter));
    expect(unknown.code).toBe('mail_login_refused');
    expect(inspect([refused, unknown], { depth: 9 })).not.toContain('canary');
    expect(server.waiting).toEqual([]);
  }));

test('an unreachable server and a missing setting have different errors', async () => {
  const server = await startMailServer();
  await server.close();
  set({ SMTPPort: String(server.port), SMTPFrom: 'hello@weir.example' });
  await expect(mail.send(letter)).rejects.toMatchObject({ code: 'mail_unreachable' });
  set({ SMTPServer: '', SMTPFrom: 'hello@weir.example' });
  await expect(mail.send(letter)).rejects.toMatchObject({ code: 'mail_not_configured' });
  expect(() => mail.check()).toThrow(AppError);
});

test('an empty receiver is refused, also as one of several', () =>
  withServer({}, { SMTPFrom: 'hello@weir.example' }, async (server) => {
    await expect(mail.send({ ...letter, to: '' })).rejects.toMatchObject({ code: 'mail_without_receiver' });
    await expect(mail.send({ ...letter, to: 'a@x.example;' })).rejects.toMatchObject({ code: 'mail_without_receiver' });
    await mail.send({ ...letter, to: 'ada@example.com' });
    expect((await server.next()).to).toEqual(['ada@example.com']);
    expect(server.waiting).toEqual([]);
  }));
