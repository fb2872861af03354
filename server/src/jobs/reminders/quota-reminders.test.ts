import { afterEach, beforeEach, expect, test } from 'vitest';
import { addUser } from '../../../test/database/accounts.ts';
import { type MailServer, startMailServer } from '../../../test/fakes/services/mail-server.ts';
import { buildRelayApp, type RelayApp, untilQuiet } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';
import { putMember } from '../../store/teams/teams.ts';

let relay: RelayApp;
let mail: MailServer;
beforeEach(async () => {
  relay = await buildRelayApp();
  mail = await startMailServer();
  await relay.addChannel();
  for (const [key, value] of Object.entries({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'weir@example.com',
    ServerAddress: 'https://weir.example.com',
    QuotaRemindThreshold: '900',
    DisplayInCurrencyEnabled: 'false',
  }))
    await relay.setOption(key, value);
});
afterEach(async () => {
  await relay.close();
  await mail.close();
});

const email = 'ada@example.com';
/** A call whose answer has so many words costs twice as many units, and a few for the prompt. */
const spend = async (user: RelayUser, words = 50) => {
  relay.upstream.behave(() => ({
    words,
    usage: { prompt_tokens: 1, completion_tokens: words, total_tokens: words + 1 },
  }));
  const { status } = await relay.ask({ key: user.key, body: { max_tokens: words } });
  await relay.settled();
  return status;
};
const quiet = () => untilQuiet(() => mail.waiting.length === 0);
const credit = (user: RelayUser, amount: number, opKey: string) =>
  relay.app.db.post({
    kind: 'credit',
    opKey,
    entry: 'adjust',
    userId: user.userId,
    amount,
    actorId: 1,
    reason: 'test',
    at: 1,
    log: null,
  });

test('RELAY-11 OPT-QuotaRemindThreshold the owner gets one mail when the balance falls under the threshold', async () => {
  const user = await relay.addUser({ quota: 1000, user: { email } });
  await spend(user, 20);
  await quiet();
  await spend(user, 50);
  const { to, mail: received } = await mail.next();
  expect(to).toEqual([email]);
  expect(received.subject).toContain('Quota reminder');
  const { available } = await relay.userBalance(user.userId);
  expect(received.html).toContain(`${available} points of quota`);
  expect(received.html).toContain('https://weir.example.com/topup');
  for (let count = 0; count < 3; count += 1) expect(await spend(user)).toBe(200);
  await quiet();
});

test('RELAY-11 many calls at once that fall under the threshold together send one mail', async () => {
  const user = await relay.addUser({ quota: 2000, user: { email } });
  relay.upstream.behave(() => ({ words: 20, usage: { prompt_tokens: 1, completion_tokens: 20, total_tokens: 21 } }));
  await Promise.all(Array.from({ length: 40 }, () => relay.ask({ key: user.key, body: { max_tokens: 20 } })));
  await relay.settled();
  expect((await mail.next()).to).toEqual([email]);
  await quiet();
});

test('RELAY-11 after a credit that lifts the balance again, the next fall is mailed too', async () => {
  const user = await relay.addUser({ quota: 1000, user: { email } });
  await spend(user, 60);
  await mail.next();
  await credit(user, 500, 'lift');
  await spend(user, 20);
  await quiet();
  await spend(user, 250);
  expect((await mail.next()).to).toEqual([email]);
  await quiet();
});

test('RELAY-11 a balance that is used up to the last unit is mailed as such', async () => {
  const user = await relay.addUser({ quota: 1001, user: { email } });
  expect(await spend(user, 500)).toBe(200);
  expect((await relay.userBalance(user.userId)).available).toBe(0);
  expect((await mail.next()).mail.html).toContain('is used up');
});

test('RELAY-11 an account without an address, or never above the threshold, gets no mail', async () => {
  const withoutAddress = await relay.addUser({ quota: 1000 });
  await spend(withoutAddress, 100);
  const low = await relay.addUser({ quota: 500, user: { email } });
  expect(await spend(low, 50)).toBe(200);
  await quiet();
});

test('OPT-QuotaRemindThreshold at 0 no reminder is sent', async () => {
  await relay.setOption('QuotaRemindThreshold', '0');
  const user = await relay.addUser({ quota: 1000, user: { email } });
  expect(await spend(user, 100)).toBe(200);
  await quiet();
});

test('RELAY-11 the managers of a team get the mail about its balance', async () => {
  const team = await relay.addUser({ quota: 1000, user: { email: '', is_team: 1 } });
  const managers = [await addUser(relay.app.db, { email }), await addUser(relay.app.db, { email: 'bo@example.com' })];
  await relay.app.db.write.transaction().execute(async (trx) => {
    for (const userId of managers) await putMember(trx, { teamId: team.userId, userId, role: 'manager', at: 1 });
  });
  await spend(team, 60);
  const received = [await mail.next(), await mail.next()];
  expect(received.map(({ to }) => to)).toEqual([[email], ['bo@example.com']]);
  expect(received[0]?.mail.html).toContain(`https://weir.example.com/team/${team.userId}`);
  await quiet();
});
