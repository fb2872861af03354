import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, testPassword, type TestUser } from '../../../test/app/app.ts';
import { type MailServer, startMailServer } from '../../../test/fakes/services/mail-server.ts';

let mailServer: MailServer;
let app: TestApp;
let root: TestUser;
beforeAll(async () => {
  mailServer = await startMailServer();
  app = await buildTestApp({ frozen: true });
  root = await app.root();
  await set('SMTPServer', 'localhost');
  await set('SMTPPort', String(mailServer.port));
  await set('SMTPFrom', 'weir@mail.example');
  await set('ServerAddress', 'https://weir.example/');
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const set = (key: string, value: string) => root.data('PUT', '/api/option/', { key, value });
const request = (email: string, caller: Caller = app.visitor()) =>
  caller.call('GET', `/api/reset_password?email=${encodeURIComponent(email)}`);
const reset = (email: string, token: string) =>
  app.visitor().call('POST', '/api/user/reset', { body: { email, token } });
const invalid = { success: false, message: 'Reset link invalid or expired' };

const addUser = async (username: string): Promise<TestUser & { readonly email: string }> => {
  const user = await app.addUser(username);
  const email = `${username}@example.com`;
  await setUser(app.db, user.id, { email });
  return Object.assign(user, { email });
};
/** The token of the link in the next mail. */
const linkIn = async (): Promise<URL> => {
  const { mail } = await mailServer.next();
  const [, href = ''] = /<a href="([^"]+)"/.exec(mail.html ?? '') ?? [];
  return new URL(href.replaceAll('&amp;', '&'));
};
const tokenFor = async (email: string): Promise<string> => {
  expect((await request(email)).json).toEqual({ success: true, message: '' });
  return (await linkIn()).searchParams.get('token') ?? '';
};

test('RESET-02 RESET-03 OPT-ServerAddress a mailed link gives a new password and ends every session and access token', async () => {
  const ada = await addUser('ada');
  const elsewhere = await app.signIn('ada', testPassword);
  const script = app.visitor({ authorization: String(await ada.data('GET', '/api/user/token')) });
  expect(await script.data('GET', '/api/user/self')).toMatchObject({ id: ada.id });
  expect((await request('Ada@example.com')).json).toEqual({ success: true, message: '' });
  const received = await mailServer.next();
  expect(received).toMatchObject({ to: ['ada@example.com'], mail: { subject: 'Weir password reset' } });
  const [, href = ''] = /<a href="([^"]+)"/.exec(received.mail.html ?? '') ?? [];
  expect(href).toMatch(/^https:\/\/weir\.example\/user\/reset\?email=ada%40example\.com&amp;token=[0-9a-f]{64}$/);
  const link = new URL(href.replaceAll('&amp;', '&'));
  const answer = await reset(ada.email, link.searchParams.get('token') ?? '');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const password = String(answer.json['data']);
  expect(password).toMatch(/^[0-9A-Za-z]{20}$/);
  for (const caller of [ada, elsewhere]) expect((await caller.call('GET', '/api/user/self')).status).toBe(401);
  expect(await script.refused('GET', '/api/user/self')).toContain('access token invalid');
  const login = { username: 'ada', password: testPassword };
  expect(await app.visitor().refused('POST', '/api/user/login', login)).toBe(
    'Username or password wrong, or user has been banned',
  );
  expect(await app.visitor().data('POST', '/api/user/login', { ...login, password })).toMatchObject({
    id: ada.id,
    must_change_password: true,
  });
  const notice = await mailServer.next();
  expect(notice).toMatchObject({ to: ['ada@example.com'], mail: { subject: 'Weir password was reset' } });
  expect(notice.source + app.logged()).not.toContain(password);
});

test('RESET-04 a link is used once, also by many at once', async () => {
  const { email } = await addUser('once');
  const token = await tokenFor(email);
  const answers = await Promise.all([1, 2, 3, 4].map(() => reset(email, token)));
  const successes = answers.filter(({ json }) => json['success'] === true);
  expect(successes).toHaveLength(1);
  expect((await reset(email, token)).json).toEqual(invalid);
  await mailServer.next();
  const password = String(successes[0]?.json['data']);
  await app.signIn('once', password);
});

test('RESET-04 a link ends after ten minutes, with the next one, and with any change of the password', async () => {
  const user = await addUser('ends');
  const first = await tokenFor(user.email);
  app.clock.advance(31_000);
  const second = await tokenFor(user.email);
  expect((await reset(user.email, first)).json).toEqual(invalid);
  app.clock.advance(600_000);
  expect((await reset(user.email, second)).json).toEqual(invalid);
  const third = await tokenFor(user.email);
  await user.data('PUT', '/api/user/self', { password: 'another long password' });
  expect((await reset(user.email, third)).json).toEqual(invalid);
});

test('RESET-04 a link is of no use for another account, and nothing near it is right', async () => {
  const mine = await addUser('mine');
  const other = await addUser('other');
  const token = await tokenFor(mine.email);
  for (const [email, text] of [
    [other.email, token],
    ['unknown@example.com', token],
    ['not an address', token],
    [mine.email, `${token}0`],
    [mine.email, token.slice(1)],
    [mine.email, token.toUpperCase()],
    [mine.email, '0'.repeat(64)],
  ] as const) {
    expect((await reset(email, text)).json, `${email} ${text}`).toEqual(invalid);
  }
  expect((await reset('', token)).json).toEqual({ success: false, message: 'Invalid parameter' });
  expect((await reset(mine.email, ' ')).json).toEqual({ success: false, message: 'Invalid parameter' });
  const stored = await app.db.read.selectFrom('codes').selectAll().execute();
  expect(JSON.stringify(stored) + app.logged()).not.toContain(token);
  expect((await reset(mine.email, token)).json['success']).toBe(true);
  await mailServer.next();
});

test('RESET-04 an unknown address, a banned account and one that two accounts share get the answer of a known one', async () => {
  const banned = await addUser('banned');
  await setUser(app.db, banned.id, { status: 2 });
  const [one, two] = [await addUser('shared1'), await addUser('shared2')];
  for (const { id } of [one, two]) await setUser(app.db, id, { email: 'shared@example.com' });
  const known = await addUser('known');
  const replies = [];
  for (const email of ['unknown@example.com', banned.email, 'shared@example.com', known.email]) {
    const { status, text, headers } = await request(email);
    replies.push([status, text, headers.get('content-type')]);
  }
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  // The last one requested is the first to come.
  expect((await mailServer.next()).to).toEqual([known.email]);
  const again = await Promise.all(['unknown@example.com', known.email].map((email) => request(email)));
  expect(again.map(({ status }) => status)).toEqual([429, 429]);
  expect(mailServer.waiting).toEqual([]);
});

test('RESET-01 what is no address is refused, and so is everything while no mail can be sent', async () => {
  expect((await request('')).json).toEqual({ success: false, message: 'Invalid parameter' });
  await set('ServerAddress', '');
  const noAddress = 'The link cannot be sent: the administrator has not set the server address';
  expect((await request('ada@example.com')).json['message']).toBe(noAddress);
  await set('SMTPServer', '');
  for (const email of ['ada@example.com', 'mine@example.com']) {
    expect((await request(email)).json['message']).toBe(
      'Failed to send email: the administrator has not set up a mail server',
    );
  }
  await set('SMTPServer', 'localhost');
  await set('ServerAddress', 'https://weir.example');
});

test('RESET-02 the address of an imported account is found however it is written', async () => {
  const user = await addUser('import');
  await setUser(app.db, user.id, { email: 'import@example.com' });
  await request('IMPORT@Example.com', app.visitor({ 'accept-language': 'zh-CN' }));
  const { to, mail } = await mailServer.next();
  expect(to).toEqual(['import@example.com']);
  expect(mail.subject).toBe('Weir 密码重置');
  expect(mail.html).toContain('重置链接 10 分钟内有效');
});

test('a mail that cannot be sent is noted for the administrator, and the answer does not show it', async () => {
  const user = await addUser('unsent');
  await set('SMTPPort', '1');
  expect((await request(user.email)).json).toEqual({ success: true, message: '' });
  await expect.poll(() => app.logged(), { timeout: 30_000 }).toContain('background job failed');
  await set('SMTPPort', String(mailServer.port));
});

test('AUTH-11 one network tries twenty links in twenty minutes', async () => {
  await using stack = new AsyncDisposableStack();
  const other = await buildTestApp({ frozen: true, trustedProxies: ['127.0.0.1'] });
  stack.defer(other.close);
  const attempt = async (index: number) => {
    const caller = other.visitor({ 'x-forwarded-for': `203.0.113.${index}` });
    const body = { email: `a${index}@example.com`, token: '0'.repeat(64) };
    return (await caller.call('POST', '/api/user/reset', { body })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 25 }, (_, index) => attempt(index)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
});
