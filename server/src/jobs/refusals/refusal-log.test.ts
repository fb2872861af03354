import { expect, onTestFinished, test, vi } from 'vitest';
import type { OptionKey } from '@weir/contract/options';
import { openTestDatabase } from '../../../test/database/database.ts';
import type { RefusedCall } from '../../relay/call/relay-observer.ts';
import type { Database } from '../../store/database.ts';
import { loadOptions, type Options } from '../../store/options.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import { createSecrets } from '../../store/credentials/secrets.ts';
import { trimRefusals } from '../../store/refusals/refusals.ts';
import type { RelayMetrics } from '../relay-metrics.ts';
import { createRefusalCounts, networkSumsMax, otherNetwork } from './refusal-counts.ts';
import { createRefusalLog } from './refusal-log.ts';
import { perSourceMax, unknownMax } from './refusal-window.ts';

const start = async (db: Database, values: Partial<Record<OptionKey, string>> = {}) => {
  const changes = await openChanges({ databaseUrl: undefined });
  onTestFinished(changes.close);
  const rows = Object.entries(values).map(([key, value], index) => ({ key, value, version: index + 1 }));
  if (rows.length > 0) await db.write.insertInto('options').values(rows).execute();
  const secrets = createSecrets(Buffer.alloc(32, 9));
  const options: Options = await loadOptions({ db, secrets, changes, defaults: {} });
  onTestFinished(options.close);
  // The first second of a quarter of an hour.
  let now = 1_800_000_000_000;
  const lost = vi.fn<(count: number) => void>();
  const metrics = { refused: vi.fn<RelayMetrics['refused']>(), refusalsLost: lost };
  const log = createRefusalLog({
    db,
    clock: { now: () => now },
    options,
    metrics,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { log, lost, refused: metrics.refused, advance: (ms: number) => void (now += ms) };
};

let requests = 0;
const unknownCall = (network: string, values: Partial<RefusedCall> = {}): RefusedCall => {
  requests += 1;
  return {
    requestId: `request${requests}`,
    ms: 1,
    access: null,
    keyTail: '',
    source: () => ({ address: `${network}.1`, network }),
    path: '/v1/chat/completions',
    model: '',
    stream: false,
    rule: 'token_invalid',
    status: 401,
    message: 'invalid token',
    retryAfter: '',
    attempts: [],
    route: null,
    ...values,
  };
};

const knownCall = (userId: number, values: Partial<RefusedCall> = {}): RefusedCall => {
  const payer = { userId, tokenId: userId, tokenLimited: false };
  const named = { username: `user${userId}`, tokenName: 'key', role: 1, group: 'default', models: null, pinned: null };
  return unknownCall('', { access: { payer, ...named }, rule: 'no_channel', status: 503, ...values });
};

const openDatabase = async () => {
  const db = await openTestDatabase();
  onTestFinished(db.close);
  return db;
};
const sumsOf = (db: Database) => db.read.selectFrom('refusal_sums').selectAll().orderBy('request_id').execute();
const rowsOf = (db: Database) => db.read.selectFrom('refusals').selectAll().orderBy('id').execute();
const total = (sums: readonly { readonly count: number }[]) => sums.reduce((sum, { count }) => sum + Number(count), 0);

test('C10 a flood of 20,000 refused calls leaves a few records and exact sums, from one network or from many', async () => {
  const db = await openDatabase();
  const { log, lost, refused } = await start(db);
  log.note(knownCall(7));
  for (let index = 0; index < 10_000; index += 1) log.note(unknownCall('192.0.2'));
  for (let index = 0; index < 10_000; index += 1) log.note(unknownCall(`net${index}`));
  await log.close();
  const rows = await rowsOf(db);
  expect(rows.filter(({ network }) => network === '192.0.2')).toHaveLength(perSourceMax);
  expect(rows.filter(({ user_id }) => user_id === 0)).toHaveLength(unknownMax);
  expect(rows.filter(({ user_id }) => user_id === 7)).toMatchObject([{ username: 'user7', rule: 'no_channel' }]);
  const sums = await sumsOf(db);
  expect(sums).toHaveLength(networkSumsMax + 2);
  expect(total(sums)).toBe(20_001);
  const at = 1_800_000_000;
  expect(sums.find(({ network }) => network === '192.0.2')).toMatchObject({ count: 10_000, first_at: at, last_at: at });
  expect(sums.find(({ network }) => network === otherNetwork)).toMatchObject({ count: 10_001 - networkSumsMax });
  expect([lost.mock.calls.length, refused.mock.calls.length]).toEqual([0, 20_001]);
});

test('C10 the next minute and the next quarter of an hour begin anew; a later write adds to the sums', async () => {
  const db = await openDatabase();
  const first = await start(db);
  for (let index = 0; index < 20; index += 1) first.log.note(unknownCall('192.0.2'));
  first.advance(60_000);
  first.log.note(unknownCall('192.0.2'));
  first.advance(15 * 60_000);
  first.log.note(unknownCall('192.0.2'));
  await first.log.close();
  const second = await start(db);
  second.log.note(unknownCall('192.0.2'));
  await second.log.close();
  expect(await rowsOf(db)).toHaveLength(perSourceMax + 3);
  expect(await sumsOf(db)).toMatchObject([
    { count: 22, last_at: 1_800_000_060 },
    { count: 1, first_at: 1_800_000_960 },
  ]);
});

test('C10 what a client chose is cut and stored in either database; rows beyond the largest number are deleted', async () => {
  const db = await openDatabase();
  const { log, advance } = await start(db, { LogRefusalRowsMax: '100' });
  const hostile = `\0\ud800${'x'.repeat(1_000_000)}`;
  log.note(knownCall(1, { model: hostile, path: hostile, message: hostile, retryAfter: hostile }));
  await log.close();
  const [row] = await rowsOf(db);
  expect(JSON.stringify(row).length).toBeLessThan(2000);
  const more = await start(db);
  for (let user = 2; user <= 200; user += 1) more.log.note(knownCall(user));
  for (let user = 0; user < unknownMax; user += 1) more.log.note(unknownCall(`net${user}`));
  await more.log.close();
  await trimRefusals(db, { before: 0, rowsMax: 100 });
  const kept = await rowsOf(db);
  // One in five may be of callers that are not known: a flood of them displaces no other.
  expect(kept.filter(({ user_id }) => user_id === 0)).toHaveLength(20);
  expect(kept.filter(({ user_id }) => user_id > 0).map(({ user_id }) => user_id)).toEqual(
    Array.from({ length: 80 }, (_, index) => 121 + index),
  );
  advance(1);
  await trimRefusals(db, { before: 1_800_000_000 + 900, rowsMax: 100 });
  expect([await rowsOf(db), await sumsOf(db)]).toEqual([[], []]);
});

test('C10 counts that cannot be written are bounded in memory, and those beyond are reported as lost', () => {
  let lost = 0;
  const counts = createRefusalCounts((count) => (lost += count));
  const calls = 30_000;
  for (let user = 1; user <= calls; user += 1)
    counts.add({ userId: user, tokenId: user, network: '', rule: 'no_channel', requestId: '', at: 1_800_000_000 });
  const first = counts.take();
  expect([first.length, total(first) + lost]).toEqual([20_000, calls]);
  counts.add({ userId: 1, tokenId: 1, network: '', rule: 'no_channel', requestId: '', at: 1_800_000_000 });
  counts.giveBack(first);
  expect(total(counts.take()) + lost).toBe(calls + 1);
});
