import { afterEach, beforeEach, expect, test } from 'vitest';
import { addToken, addUser } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { type MailServer, startMailServer } from '../../../test/fakes/services/mail-server.ts';
import { createMail } from '../../integrations/mail.ts';
import { createSecrets } from '../../store/credentials/secrets.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import { loadOptions, type Options } from '../../store/options.ts';
import { putMember } from '../../store/teams/teams.ts';
import { remindOfExpiry } from './expiry-reminders.ts';

let db: TestDatabase;
let mail: MailServer;
let options: Options;
const now = 1_800_000_000;
const day = 86_400;

const openOptions = async (days: number): Promise<Options> => {
  const values = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'weir@example.com',
    ServerAddress: 'https://weir.example.com',
    KeyExpiryRemindDays: String(days),
  };
  return loadOptions({
    db,
    secrets: createSecrets(Buffer.alloc(32, 9)),
    changes: await openChanges({}),
    defaults: values,
  });
};

beforeEach(async () => {
  db = await openTestDatabase();
  mail = await startMailServer();
  options = await openOptions(7);
});
afterEach(async () => {
  options.close();
  await db.close();
  await mail.close();
});

const warnings: object[] = [];
const remind = (at = now): Promise<void> =>
  remindOfExpiry({
    db,
    options,
    mail: createMail({ options }),
    clock: { now: () => at * 1000 },
    log: { warn: (facts) => void warnings.push(facts) },
  });
/** Sent and not read by the test. */
const unread = () => mail.waiting.length;

test('each owner gets one mail with all keys that expire within the days, once for each expiry', async () => {
  const ada = await addUser(db, { email: 'ada@example.com' });
  const first = await addToken(db, ada, { name: 'first <b>', expired_time: now + 7 * day - 1 });
  const second = await addToken(db, ada, { name: 'second', expired_time: now });
  for (const left of [
    { expired_time: now + 7 * day },
    { expired_time: now - 1 },
    { expired_time: -1 },
    { expired_time: now + 5, status: 2 },
    { expired_time: now + 5, deleted_time: 9 },
  ])
    await addToken(db, ada, left);
  await addToken(db, await addUser(db, { email: '' }), { expired_time: now + 5 });
  await addToken(db, await addUser(db, { email: 'banned@example.com', status: 2 }), { expired_time: now + 5 });
  await Promise.all([remind(), remind()]);
  const { to, mail: received } = await mail.next();
  expect(to).toEqual(['ada@example.com']);
  expect(received.subject).toContain('Your keys are about to expire');
  expect(received.html).toContain(`first &lt;b&gt; (#${first}): 2027-01-22 07:59 UTC`);
  expect(received.html).toContain(`second (#${second}): 2027-01-15 08:00 UTC`);
  expect(received.html).toContain('https://weir.example.com/token');
  expect(unread()).toBe(0);

  // Another expiry is another reminder; the same one is none.
  await db.write
    .updateTable('tokens')
    .set({ expired_time: now + 3 * day })
    .where('id', '=', second)
    .execute();
  await remind(now + 60);
  const { mail: later } = await mail.next();
  expect(later.html).toContain(`second (#${second})`);
  expect(later.html).not.toContain('first');
  await remind(now + 120);
  expect(unread()).toBe(0);
  expect(warnings).toEqual([]);
});

test('a mail that fails is reported, and does not keep others from theirs', async () => {
  const bad = await addUser(db, { email: 'no address' });
  const good = await addUser(db, { email: 'good@example.com' });
  for (const userId of [bad, good]) await addToken(db, userId, { expired_time: now + day });
  await remind();
  expect((await mail.next()).to).toEqual(['good@example.com']);
  expect(warnings.splice(0)).toMatchObject([{ user: bad }]);
});

test('OPT-KeyExpiryRemindDays at 0 no reminder is sent', async () => {
  options.close();
  options = await openOptions(0);
  await addToken(db, await addUser(db, { email: 'ada@example.com' }), { expired_time: now + day });
  await remind();
  expect(unread()).toBe(0);
});

test('the managers of a team get the mail about its keys, each of those with an address, and a team without any is not taken as reminded', async () => {
  const team = await addUser(db, { username: 'crew', email: '', is_team: 1 });
  const token = await addToken(db, team, { name: 'ci', expired_time: now + 5 });
  const join = async (row: Parameters<typeof addUser>[1], as: 'manager' | 'member'): Promise<void> => {
    const userId = await addUser(db, row);
    await db.write
      .transaction()
      .execute((trx) => putMember(trx, { teamId: team, userId, role: as, at: now }).then(() => undefined));
  };
  await join({ email: 'member@example.com' }, 'member');
  await join({ email: '' }, 'manager');
  await join({ email: 'banned@example.com', status: 2 }, 'manager');
  await remind();
  expect(unread()).toBe(0);
  await join({ email: 'grace@example.com' }, 'manager');
  await join({ email: 'ada@example.com' }, 'manager');
  await remind();
  const received = [await mail.next(), await mail.next()];
  expect(received.map(({ to }) => to)).toEqual([['ada@example.com'], ['grace@example.com']]);
  for (const { mail: text } of received) {
    expect(text.html).toContain(`ci (#${token})`);
    expect(text.html).toContain(`https://weir.example.com/team/tokens/${team}`);
  }
  await remind();
  expect(unread()).toBe(0);
});
