import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp } from '../../../test/app/app.ts';
import { type MailServer, startMailServer, trustLocalCertificate } from '../../../test/fakes/services/mail-server.ts';

let mailServer: MailServer;
let app: TestApp;
const account = { user: 'weir@mail.example', pass: 'canary-mail-password' };
const distrust = trustLocalCertificate();
beforeAll(async () => {
  mailServer = await startMailServer({ account });
  app = await buildTestApp({ frozen: true });
  const root = await app.root();
  const settings = { SMTPServer: 'localhost', SMTPPort: String(mailServer.port), SMTPAccount: account.user };
  for (const [key, value] of Object.entries({ ...settings, SMTPToken: account.pass })) {
    await root.data('PUT', '/api/option/', { key, value });
  }
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
  distrust();
});

const self = '/api/user/self';
const codeFor = async (caller: Caller, email: string): Promise<string> => {
  await caller.data('GET', `/api/verification?email=${encodeURIComponent(email)}`);
  const { mail } = await mailServer.next();
  return /<strong>(\d{6})<\/strong>/.exec(mail.html ?? '')?.[1] ?? '';
};
const bindPath = (email: string, code: string) =>
  `/api/oauth/email/bind?email=${encodeURIComponent(email)}&code=${code}`;

test('OAUTH-06 an address is bound by the code mailed there, shows in the profile, and signs in', async () => {
  const ada = await app.addUser('ada');
  const code = await codeFor(ada, 'Ada@Example.com');
  expect((await ada.call('GET', bindPath('ada@example.com', code))).json).toEqual({ success: true, message: '' });
  expect(await ada.data('GET', self)).toMatchObject({ email: 'ada@example.com' });
  expect(await ada.refused('GET', bindPath('ada@example.com', code))).toBe('Verification code wrong or expired');
  await app.signIn('ada@example.com', 'correct horse battery staple');
});

test('OAUTH-06 without the right code of the right address nothing is bound', async () => {
  const bob = await app.addUser('bob');
  const code = await codeFor(bob, 'bob@example.com');
  const wrong = code === '000000' ? '000001' : '000000';
  expect(await bob.refused('GET', bindPath('bob@example.com', ''))).toBe('Invalid parameter');
  expect(await bob.refused('GET', bindPath('', code))).toBe('Invalid parameter');
  expect(await bob.refused('GET', bindPath('nonsense', code))).toBe('Invalid parameter');
  expect(await bob.refused('GET', bindPath('bob@example.com', wrong))).toBe('Verification code wrong or expired');
  expect(await bob.refused('GET', bindPath('other@example.com', code))).toBe('Verification code wrong or expired');
  app.clock.advance(600_000);
  expect(await bob.refused('GET', bindPath('bob@example.com', code))).toBe('Verification code wrong or expired');
  expect(await bob.data('GET', self)).toMatchObject({ email: '' });
});

test('OAUTH-06 an address that became another account’s meanwhile is refused, and its code is not used up', async () => {
  const carol = await app.addUser('carol');
  const dave = await app.addUser('dave');
  const code = await codeFor(carol, 'shared@example.com');
  await setUser(app.db, dave.id, { email: 'shared@example.com' });
  expect(await carol.refused('GET', bindPath('shared@example.com', code))).toBe('E-mail address already taken');
  await setUser(app.db, dave.id, { email: '' });
  await carol.data('GET', bindPath('shared@example.com', code));
});

test('OAUTH-06 two accounts that use one code at once: one of them gets the address', async () => {
  const erin = await app.addUser('erin');
  const frank = await app.addUser('frank');
  const code = await codeFor(erin, 'race@example.com');
  const replies = await Promise.all([erin, frank].map((who) => who.call('GET', bindPath('race@example.com', code))));
  expect(replies.filter(({ json }) => json['success'] === true)).toHaveLength(1);
  const owners = await app.db.read.selectFrom('users').select('id').where('email', '=', 'race@example.com').execute();
  expect(owners).toHaveLength(1);
});

test('OPT-EmailDomainWhitelist an address of a domain that is not listed is not bound', async () => {
  const gina = await app.addUser('gina');
  const code = await codeFor(gina, 'gina@example.net');
  const root = await app.root();
  await root.data('PUT', '/api/option/', { key: 'EmailDomainWhitelist', value: 'example.com' });
  await root.data('PUT', '/api/option/', { key: 'EmailDomainRestrictionEnabled', value: 'true' });
  expect(await gina.refused('GET', bindPath('gina@example.net', code))).toContain('whitelist');
  await root.data('PUT', '/api/option/', { key: 'EmailDomainRestrictionEnabled', value: 'false' });
});
