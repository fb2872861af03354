import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { type MailServer, startMailServer, trustLocalCertificate } from '../../../test/fakes/services/mail-server.ts';
import { findBrokenAudit } from '../../store/audit.ts';

let mailServer: MailServer;
let app: TestApp;
let root: TestUser;
const account = { user: 'weir@mail.example', pass: 'canary-mail-password' };
const distrust = trustLocalCertificate();
beforeAll(async () => {
  mailServer = await startMailServer({ account, unknown: ['unknown@example.com'] });
  app = await buildTestApp({ frozen: true });
  root = await app.root();
  await set('SMTPServer', 'localhost');
  await set('SMTPPort', String(mailServer.port));
  await set('SMTPAccount', account.user);
  await set('SMTPToken', account.pass);
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
  distrust();
});

const path = '/api/user/register';
const password = 'correct horse battery staple';
const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });
const refused = (body: Readonly<Record<string, unknown>>, caller: Caller = app.visitor()) =>
  caller.refused('POST', path, { username: 'refused', password, ...body });
const opened = async (body: Readonly<Record<string, unknown>>): Promise<TestUserView> => {
  const reply = await app.visitor().call('POST', path, { body: { password, ...body } });
  expect(reply.json).toEqual({ success: true, message: '' });
  expect(reply.headers.get('set-cookie')).toBeNull();
  const caller = await app.signIn(String(body['username']), password);
  return { caller, self: await caller.data('GET', '/api/user/self') };
};
interface TestUserView {
  readonly caller: Caller;
  readonly self: unknown;
}
const usersNamed = (username: string) =>
  app.db.read.selectFrom('users').select('id').where('username', '=', username).execute();

const verify = (email: string, caller: Caller = app.visitor()) =>
  caller.call('GET', `/api/verification?email=${encodeURIComponent(email)}`);
const codeIn = async (): Promise<string> => {
  const { mail } = await mailServer.next();
  const [, code = ''] = /<strong>(\d{6})<\/strong>/.exec(mail.html ?? '') ?? [];
  expect(code).toMatch(/^\d{6}$/);
  return code;
};
/** Past the pause between two mails to one address. */
const pause = () => app.clock.advance(31_000);

test('REG-07 REG-09 an account is opened with a name and a password alone, and signs in', async () => {
  const body = { username: 'ada', email: 'never@example.com', password2: 'ignored', is_edit: false };
  const { self, caller } = await opened(body);
  expect(self).toMatchObject({ username: 'ada', display_name: 'ada', role: 1, status: 1, group: 'default', email: '' });
  expect(self).toMatchObject({ quota: 0, inviter_id: 0 });
  expect(await caller.data('GET', '/api/token/')).toMatchObject([
    { name: 'default', unlimited_quota: true, models: '' },
  ]);
});

test('REG-01 REG-09 OPT-QuotaForNewUser OPT-QuotaForInvitee OPT-QuotaForInviter gifts arrive, and both sides see a log row', async () => {
  await set('QuotaForNewUser', '1000');
  await set('QuotaForInvitee', '200');
  await set('QuotaForInviter', '30');
  const inviter = await opened({ username: 'inviter' });
  const code = String(await inviter.caller.data('GET', '/api/user/aff'));
  const invited = await opened({ username: 'invited', aff_code: code });
  expect(invited.self).toMatchObject({ quota: 1200 });
  expect(await inviter.caller.data('GET', '/api/user/self')).toMatchObject({ quota: 1030 });
  expect(await invited.caller.data('GET', '/api/log/self/?type=4')).toMatchObject([
    { content: 'gift for using an invite code $0.000400 quota', username: 'invited' },
    { content: 'new-user registration gift $0.002000 quota', username: 'invited' },
  ]);
  expect(await inviter.caller.data('GET', '/api/log/self/?type=4')).toMatchObject([
    { content: 'gift for inviting a user $0.000060 quota', username: 'inviter' },
    { content: 'new-user registration gift $0.002000 quota', username: 'inviter' },
  ]);
  for (const key of ['QuotaForNewUser', 'QuotaForInvitee', 'QuotaForInviter']) await set(key, '0');
  expect((await opened({ username: 'later', aff_code: 'unknown' })).self).toMatchObject({ quota: 0 });
});

test('REG-02 REG-03 C75 an empty or long name and a bad password are refused, and nothing is made', async () => {
  expect(await refused({ username: ' ' })).toBe('Username must not be empty');
  expect(await refused({ username: 'thirteen char' })).toBe(
    'Invalid input, please check your input: username must have at most 12 characters',
  );
  await opened({ username: '十二个字符的名字可以用的' });
  expect(await refused({ password: 'Xk3vQp9' })).toBe('Password length must not be less than 8');
  expect(await refused({ password: 'x'.repeat(129) })).toBe('Password length must not be more than 128');
  expect(await refused({ password: 'Password1' })).toBe('This password is too common');
  // One character or two, however often.
  expect(await refused({ password: 'abababababab' })).toBe('This password is too common');
  expect(await refused({ username: 'adalovelace', password: 'AdaLovelace' })).toBe('This password is too common');
  expect(await usersNamed('refused')).toEqual([]);
});

test('REG-07 a taken name is refused in the language of the caller', async () => {
  expect(await refused({ username: 'ada' })).toBe('Username already taken');
  expect(await refused({ username: 'root' }, app.visitor({ 'accept-language': 'zh-CN,zh' }))).toBe('用户名已被占用');
});

test('REG-07 OPT-RegisterEnabled OPT-PasswordRegisterEnabled closed registration is refused', async () => {
  await set('PasswordRegisterEnabled', 'false');
  expect(await refused({})).toBe(
    'The administrator has closed registration by password; please register through a third-party account',
  );
  await set('RegisterEnabled', 'false');
  expect(await refused({})).toBe('The administrator has closed new user registration');
  expect(await app.visitor().data('GET', '/api/status')).toMatchObject({ register_enabled: false });
  await set('PasswordRegisterEnabled', 'true');
  expect(await refused({})).toBe('The administrator has closed new user registration');
  await set('RegisterEnabled', 'true');
});

test('REG-05 OPT-EmailVerificationEnabled an address and the code that was mailed to it are needed', async () => {
  await set('EmailVerificationEnabled', 'true');
  const needed =
    'The administrator has turned on e-mail verification; please enter e-mail address and verification code';
  for (const body of [{}, { email: 'grace@example.com' }, { verification_code: '123456' }]) {
    expect(await refused(body)).toBe(needed);
  }
  expect((await verify('Grace@Example.com')).json).toEqual({ success: true, message: '' });
  const received = await mailServer.next();
  expect(received).toMatchObject({ to: ['grace@example.com'], secure: true, account: account.user });
  expect(received.mail.subject).toBe('Weir e-mail verification');
  expect(received.mail.html).toContain('valid for 10 minutes');
  const [code = ''] = /\b\d{6}\b/.exec(received.mail.html ?? '') ?? [];
  const wrong = code === '000000' ? '000001' : '000000';
  const grace = { username: 'grace', email: 'grace@example.com' };
  expect(await refused({ ...grace, verification_code: wrong })).toBe('Verification code wrong or expired');
  expect(await refused({ ...grace, email: 'other@example.com', verification_code: code })).toBe(
    'Verification code wrong or expired',
  );
  // A name that is taken costs neither the code nor a try of it.
  for (let time = 0; time < 6; time += 1) {
    expect(await refused({ ...grace, username: 'ada', verification_code: code })).toBe('Username already taken');
  }
  const { self } = await opened({ ...grace, verification_code: ` ${code} ` });
  expect(self).toMatchObject({ email: 'grace@example.com' });
  expect(JSON.stringify(await app.db.read.selectFrom('codes').selectAll().execute())).not.toContain(code);
});

test('REG-07 a code is used once, ends after ten minutes, after five tries, and with the next one', async () => {
  const attempt = (code: string) => refused({ email: 'once@example.com', verification_code: code });
  const wrong = 'Verification code wrong or expired';
  await verify('once@example.com');
  const first = await codeIn();
  pause();
  await verify('once@example.com');
  const second = await codeIn();
  if (first !== second) expect(await attempt(first)).toBe(wrong);
  app.clock.advance(600_000);
  expect(await attempt(second)).toBe(wrong);
  await verify('once@example.com');
  const third = await codeIn();
  const guess = third === '000000' ? '000001' : '000000';
  for (let time = 0; time < 5; time += 1) expect(await attempt(guess)).toBe(wrong);
  expect(await attempt(third)).toBe(wrong);
  pause();
  await verify('once@example.com');
  const fourth = await codeIn();
  await opened({ username: 'once', email: 'once@example.com', verification_code: fourth });
  expect(await refused({ email: 'once@example.com', verification_code: fourth })).toBe('E-mail address already taken');
});

test('of registrations made at once with one code one succeeds', async () => {
  await verify('race@example.com');
  const code = await codeIn();
  const replies = await Promise.all(
    [1, 2, 3, 4].map((index) =>
      app.visitor().call('POST', path, {
        body: { username: `race${index}`, password, email: 'race@example.com', verification_code: code },
      }),
    ),
  );
  expect(replies.filter(({ json }) => json['success'] === true)).toHaveLength(1);
  const withAddress = app.db.read.selectFrom('users').select('id').where('email', '=', 'race@example.com');
  expect(await withAddress.execute()).toHaveLength(1);
});

test('REG-08 OPT-EmailDomainRestrictionEnabled OPT-EmailDomainWhitelist OPT-EmailAliasRestrictionEnabled only listed domains register', async () => {
  await verify('late@elsewhere.example');
  const code = await codeIn();
  await set('EmailDomainWhitelist', 'weir.example,mail.example');
  await set('EmailDomainRestrictionEnabled', 'true');
  const refusal = "The administrator has enabled an e-mail domain whitelist; your address's domain is not in it";
  for (const email of ['a@evilweir.example', 'a@weir.example.evil.example', 'a@sub.weir.example']) {
    expect((await verify(email)).json).toEqual({ success: false, message: refusal });
  }
  expect(await refused({ email: 'late@elsewhere.example', verification_code: code })).toBe(refusal);
  expect((await verify('Someone+News@WEIR.Example')).json['success']).toBe(true);
  expect((await mailServer.next()).to).toEqual(['someone+news@weir.example']);
  await set('EmailAliasRestrictionEnabled', 'true');
  expect((await verify('other+news@weir.example')).json['message']).toBe(
    'The administrator does not accept e-mail addresses with a + alias',
  );
  await set('EmailAliasRestrictionEnabled', 'false');
  await set('EmailDomainRestrictionEnabled', 'false');
});

test('SET-13 the domain list cannot be turned on while it is empty', async () => {
  await set('EmailDomainWhitelist', '');
  expect(await root.refused('PUT', '/api/option/', { key: 'EmailDomainRestrictionEnabled', value: 'true' })).toBe(
    'Cannot enable e-mail domain restriction, please fill in the restricted domains first',
  );
});

test('REG-07 an address of an account, and an invalid one, get no code', async () => {
  const owner = await app.addUser('owner');
  await setUser(app.db, owner.id, { email: 'owner@example.com' });
  expect((await verify('OWNER@example.com')).json['message']).toBe('E-mail address already taken');
  for (const email of ['', 'owner', 'a@b@c.example', 'a@example.com,b@example.com']) {
    expect((await verify(email)).json['message'], email).toBe('Invalid parameter');
  }
  expect(mailServer.waiting).toEqual([]);
});

test('a mail that cannot be sent is refused with the reason', async () => {
  expect((await verify('unknown@example.com')).json['message']).toBe(
    'Failed to send email: the mail server replied: 550 No such mailbox: unknown@example.com',
  );
  await set('SMTPServer', '');
  const chinese = app.visitor({ 'accept-language': 'zh' });
  expect((await verify('someone@example.com', chinese)).json['message']).toBe('邮件发送失败：管理员尚未配置邮件服务器');
  await set('SMTPServer', 'localhost');
  expect(app.logged()).not.toContain('canary');
});

test('a mail is written in the language of the caller, and OPT-SystemName names the sender', async () => {
  await set('SystemName', 'Ada & <Söhne>');
  await verify('chinese@example.com', app.visitor({ 'accept-language': 'zh-CN' }));
  const { mail } = await mailServer.next();
  expect(mail.subject).toBe('Ada & <Söhne> 邮箱验证邮件');
  expect(mail.from?.name).toBe('Ada & <Söhne>');
  expect(mail.html).toContain('Ada &amp; &lt;Söhne&gt;');
  expect(mail.html).toContain('验证码 10 分钟内有效');
  await set('SystemName', 'Weir');
});

test('one address gets a mail every 30 seconds at most, and five in an hour', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 8; time += 1) {
    statuses.push((await verify('often@example.com')).status, (await verify('often@example.com')).status);
    pause();
  }
  expect(statuses).toEqual([
    ...Array.from({ length: 5 }, () => [200, 429]).flat(),
    ...Array.from({ length: 6 }, () => 429),
  ]);
  app.clock.advance(3_600_000);
  expect((await verify('often@example.com')).status).toBe(200);
  for (let time = 0; time < 6; time += 1) await mailServer.next();
  expect(mailServer.waiting).toEqual([]);
});

test('openings of accounts are in the audit log, without a password', async () => {
  const rows = await app.db.read.selectFrom('audit').selectAll().where('action', '=', 'register').execute();
  expect(rows.map(({ actor_name }) => actor_name)).toEqual(expect.arrayContaining(['ada', 'grace', 'once']));
  expect(JSON.stringify(rows) + app.logged()).not.toContain(password);
  expect(await findBrokenAudit(app.db.read)).toBeUndefined();
});

test('AUTH-11 one network opens five accounts in an hour, and makes twenty tries in twenty minutes', async () => {
  await using stack = new AsyncDisposableStack();
  const other = await buildTestApp({ frozen: true, trustedProxies: ['127.0.0.1'] });
  stack.defer(other.close);
  const from = (address: string) => other.visitor({ 'x-forwarded-for': address });
  const attempt = async (username: string, address: string) => {
    const { status, json, text } = await from(address)
      .call('POST', path, { body: { username, password } })
      .then((reply) => ({
        status: reply.status,
        text: reply.text,
        json: reply.status === 200 ? reply.json : {},
      }));
    return status === 200 ? json['success'] : `${status}${text}`;
  };
  const answers: unknown[] = [];
  for (let index = 0; index < 7; index += 1) answers.push(await attempt(`net${index}`, `203.0.113.${index}`));
  expect(answers).toEqual([true, true, true, true, true, '429', '429']);
  expect(await attempt('elsewhere', '203.0.114.1')).toBe(true);
  other.clock.advance(3_600_000);
  expect(await attempt('net9', '203.0.113.1')).toBe(true);
  const guesses: unknown[] = [];
  for (let index = 0; index < 22; index += 1) guesses.push(await attempt('net9', '198.51.100.7'));
  expect(guesses).toEqual([...Array.from({ length: 20 }, () => false), '429', '429']);
});
