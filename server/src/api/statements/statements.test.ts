import { accountStatementSchema, type AccountStatement } from '@weir/contract/bills/account-statements';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../../../test/app/app.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import { verifyLedger } from '../../store/ledger/verify.ts';
import { closeMonths } from '../../store/statements/close-months.ts';

let relay: RelayApp;
let admins = 0;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
});
afterAll(() => relay.close());

/** Sessions end with time. */
const newAdmin = (): Promise<TestUser> => {
  admins += 1;
  return relay.app.addUser(`statements-${admins}`, role.admin);
};
const advanceTo = (unixMs: number): void => relay.app.clock.advance(unixMs - relay.app.clock.now());
const nextMonth = (months: number): number => {
  const now = new Date(relay.app.clock.now());
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months);
};
const monthText = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 7);

const closeMonthsNow = () => closeMonths(relay.app.db, Math.floor(relay.app.clock.now() / 1000));

const statementOf = async (admin: TestUser, userId: number, month: string): Promise<AccountStatement> =>
  v.parse(accountStatementSchema, await admin.data('GET', `/api/statement/?user_id=${userId}&month=${month}`));

const credit = (userId: number, amount: number, reason: string) =>
  relay.app.db.post({
    kind: 'credit',
    entry: 'adjust',
    opKey: `adjust:${userId}:${reason}`,
    userId,
    amount,
    actorId: 1,
    reason,
    at: Math.floor(relay.app.clock.now() / 1000),
    log: null,
  });

const spend = async (key: string, calls: number): Promise<number> => {
  let spent = 0;
  for (let index = 0; index < calls; index += 1) {
    const { requestId } = await relay.ask({ key });
    spent += (await relay.chargeOf(requestId))?.amount ?? 0;
  }
  return spent;
};

test('C18 months follow each other without a gap: each opens with what the last one closed with, and all of it is in the ledger', async () => {
  const first = nextMonth(1) + 3 * 86_400_000;
  advanceTo(first);
  const user = await relay.addUser({ quota: 0 });
  await credit(user.userId, 1_000_000, 'bank transfer');
  const spentFirst = await spend(user.key, 3);
  const firstMonth = monthText(first);

  // A month without anything, and one with a call in its first minutes, before the last one is closed.
  const second = nextMonth(2);
  advanceTo(second + 60_000);
  const spentSecond = await spend(user.key, 2);
  await credit(user.userId, -500, 'refund');
  let admin = await newAdmin();
  await closeMonthsNow();
  const open = await statementOf(admin, user.userId, firstMonth);
  expect(open).toMatchObject({ closed: true, opening: 0, credited: 1_000_000, used: spentFirst });

  const between = monthText(nextMonth(-1));
  // The month before runs until it is closed.
  const latest = await statementOf(admin, user.userId, '');
  expect(latest).toMatchObject({ month: between, closed: false, opening: open.closing, used: spentSecond });

  advanceTo(second + 86_400_000);
  await closeMonthsNow();
  admin = await newAdmin();
  const quiet = await statementOf(admin, user.userId, between);
  const running = await statementOf(admin, user.userId, monthText(second));
  const balance = await relay.userBalance(user.userId);
  expect(quiet).toMatchObject({ closed: true, opening: open.closing, closing: open.closing, used: 0, credits: [] });
  expect(running).toMatchObject({
    closed: false,
    opening: quiet.closing,
    used: spentSecond,
    credited: -500,
    closing: balance.available + balance.held,
  });
  expect(running.credits).toMatchObject([{ kind: 'adjust', amount: -500, reason: 'refund' }]);
  expect(running.usage.reduce((sum, { quota }) => sum + quota, 0)).toBe(spentSecond);
  expect(running.usage.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);

  // Before the first entry of the ledger there is nothing, and after this month neither.
  expect(await statementOf(admin, user.userId, '1970-01')).toMatchObject({ opening: 0, closing: 0, used: 0 });
  for (const [query, text] of [
    [`user_id=${user.userId}&month=2999-01`, 'no statement'],
    [`user_id=999999&month=${firstMonth}`, 'no statement'],
    [`user_id=${user.userId}&month=2026-13`, 'YYYY-MM'],
  ])
    expect(await admin.refused('GET', `/api/statement/?${query}`)).toContain(text);
  expect((await verifyLedger(relay.app.db)).findings).toEqual([]);
});

test('an owner reads the statement of the own account, also as a table whose lines add up', async () => {
  const member = await relay.app.addUser('statement-owner');
  const { id } = v.parse(v.object({ id: v.number() }), await member.data('GET', '/api/user/self'));
  await credit(id, 5000, '=HYPERLINK("x")');
  const own = v.parse(accountStatementSchema, await member.data('GET', '/api/statement/self'));
  expect(own).toMatchObject({ user_id: id, username: 'statement-owner', closing: own.opening + 5000 });
  const { text } = await member.call('GET', '/api/statement/self/export');
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toContain('date,kind,text,requests,prompt_tokens,completion_tokens,quota,usd');
  expect(lines.at(-1)).toMatch(new RegExp(`,closing,,,,,${own.closing},0\\.0`));
  // No spreadsheet takes a reason for a formula.
  expect(text).toContain(`adjust,"'=HYPERLINK(""x"")"`);
  expect((await member.call('GET', `/api/statement/?user_id=1`)).text).not.toContain('opening');
});
