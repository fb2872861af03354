import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Insertable } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addCaller, holdFor, settleFor, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import type { LedgerTable } from '../schema.ts';
import { verifyLedger } from './verify.ts';

let db: TestDatabase;
let caller: Caller;
beforeEach(async () => {
  db = await openTestDatabase();
  caller = await addCaller(db, 1000, 500);
  await db.post(settleFor(caller, 'settled', 30));
  await db.post(holdFor(caller, 'open', 40));
});
afterEach(() => db.close());

const findings = async () => (await verifyLedger(db)).findings;
const rules = async () => [
  ...new Set((await findings()).map(({ rule, subject }) => `${rule} ${subject.replace(/\d+$/, '')}`)),
];

const countAtChannel = (amount: number) =>
  db.write
    .updateTable('channels')
    .set((eb) => ({ used: eb('used', '+', amount) }))
    .where('id', '=', caller.channelId)
    .execute();

const addEntry = (values: Partial<Insertable<LedgerTable>>) =>
  db.write
    .insertInto('ledger')
    .values({
      op_key: 'planted',
      kind: 'adjust',
      user_id: caller.userId,
      token_id: 0,
      channel_id: 0,
      amount: 1,
      unrecovered: 0,
      request_id: '',
      price_version: 0,
      estimated: 0,
      actor_id: 0,
      reason: '',
      created_at: 1,
      ...values,
    })
    .execute();

test('a ledger that matches the balances gives no finding and the figures', async () => {
  await db.post(settleFor(caller, 'poor', 100_000));
  expect(await verifyLedger(db)).toEqual({
    findings: [],
    figures: { entries: 5, folded: 0, holds: 1, unrecovered: 100_000 - 930 },
  });
});

test('L1 finds money from nowhere and credits that never arrived', async () => {
  await db.write.updateTable('users').set({ available: 7 }).where('id', '=', caller.userId).execute();
  expect(await findings()).toEqual([{ rule: 'L1', subject: `user ${caller.userId}`, expected: 1000, found: 77 }]);
  await db.write.updateTable('users').set({ available: 930 }).where('id', '=', caller.userId).execute();
  await addEntry({ amount: 5 });
  expect(await findings()).toEqual([{ rule: 'L1', subject: `user ${caller.userId}`, expected: 1005, found: 1000 }]);
});

test('L1 finds a credit whose user is gone', async () => {
  await addEntry({ user_id: 999 });
  expect(await findings()).toEqual([{ rule: 'L1', subject: 'user 999', expected: 1, found: 0 }]);
});

test('L2 finds a token with more than was allocated', async () => {
  await db.write.updateTable('tokens').set({ available: 431 }).where('id', '=', caller.tokenId).execute();
  expect(await findings()).toEqual([{ rule: 'L2', subject: `token ${caller.tokenId}`, expected: 500, found: 501 }]);
});

test('L3 finds a use that an account, a token or a channel did not count', async () => {
  await countAtChannel(1);
  expect(await findings()).toEqual([{ rule: 'L3', subject: `channel ${caller.channelId}`, expected: 30, found: 31 }]);
  const { tokenId, channelId } = caller;
  await addEntry({
    kind: 'use',
    op_key: 'use:lost',
    request_id: 'lost',
    token_id: tokenId,
    channel_id: channelId,
    amount: 2,
  });
  expect(await rules()).toEqual(['L3 user ', 'L3 token ', 'L3 channel ']);
});

test('L4 finds a hold that no balance holds', async () => {
  await db.write.deleteFrom('holds').execute();
  expect(await rules()).toEqual(['L4 user ', 'L4 token ']);
});

test('L5 finds a hold of a settled request and a use under a false key', async () => {
  await db.write.updateTable('holds').set({ request_id: 'settled' }).execute();
  expect(await findings()).toEqual([
    { rule: 'L5', subject: 'hold of the settled request settled', expected: 0, found: 40 },
  ]);
  await addEntry({ kind: 'use', op_key: 'again:settled', request_id: 'settled', amount: 0 });
  expect(await rules()).toEqual(['L5 hold of the settled request settled', 'L5 operation key of entry ']);
});

test('L8 finds more used than was ever credited', async () => {
  await addEntry({ amount: -980 });
  expect(await rules()).toEqual(['L1 user ', 'L8 user ']);
});

test('L9 finds a used code without its credit and a credit without its code', async () => {
  const dates = { created_time: 0, redeemed_time: 1, redeemed_user_id: caller.userId, deleted_time: 0 };
  const code = { user_id: 1, key_digest: 'x', key_sealed: '', status: 3, name: '', quota: 50, ...dates };
  await db.write.insertInto('redemptions').values(code).execute();
  await addEntry({ kind: 'redeem', op_key: 'redeem:77', amount: 0 });
  expect(await rules()).toEqual(['L9 redemption ', 'L9 entry of a redemption ']);
});

const runCommand = () =>
  spawnSync(process.execPath, [join(import.meta.dirname, '..', '..', 'verify.ts')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: db.dataDir, DATABASE_URL: db.databaseUrl ?? '' },
  });

test('the command reads a database in use, ends with 0 where it agrees and with 1 and the findings where not', async () => {
  const good = runCommand();
  expect(good.stderr).toBe('');
  const [result, ...checked] = good.stdout.trimEnd().split('\n').toReversed();
  expect(result).toBe('The ledger matches the balances: 3 entries, 1 open holds, 0 quota uncollected');
  for (const line of checked) expect(line).toMatch(/^Checked: /);
  expect(good.status).toBe(0);
  await countAtChannel(1);
  const bad = runCommand();
  expect(bad.stdout).toContain(`L3: channel ${caller.channelId}: expected 30, found 31\n`);
  expect(bad.status).toBe(1);
});

test('the command ends with 2 and one line where there is nothing to check', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', '..', 'verify.ts'), join(db.dataDir, 'nowhere')],
    { encoding: 'utf8' },
  );
  expect(stderr).toMatch(/^The ledger cannot be checked: There is no database in [^\n]*\n$/);
  expect(status).toBe(2);
});

test('L3 and L4 find budgets that do not have what entries and holds name', async () => {
  const period = await db.write
    .insertInto('budget_periods')
    .values({ budget_id: 1, starts_at: 0, ends_at: 1, granted: 100, held: 0, used: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const named = { ...caller, budgets: `~${period.id}` };
  await db.post(settleFor(named, 'counted', 150));
  await db.post(holdFor(named, 'set aside', 20));
  expect(await findings()).toEqual([]);
  await db.write.updateTable('budget_periods').set({ held: 25, used: 149 }).where('id', '=', period.id).execute();
  const subject = `budget_period ${period.id}`;
  expect(await findings()).toEqual([
    { rule: 'L3', subject, expected: 150, found: 149 },
    { rule: 'L4', subject, expected: 20, found: 25 },
  ]);
});
