import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { logType } from '@weir/contract/logs';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addNote, repeatLogs } from '../../../test/database/logs.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { startClickHouse, startObjectStore, startSyslogServer } from '../../../test/fakes/services/log-receivers.ts';
import { parseObject } from '../../../test/parsing/json.ts';
import { until } from '../../../test/app/relay-app.ts';
import { createOutbound } from '../../integrations/outbound.ts';
import { createAddressGuard } from '../../relay/upstream/address-guard.ts';
import { logColumns } from '../../store/logs/log-columns.ts';
import { markLog } from '../../store/logs/log-shipping.ts';
import { startShipLogs } from './ship-logs.ts';

let db: TestDatabase;
let folder: string;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  db = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'weir-sink-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await db.close();
  await rm(folder, { recursive: true });
});

const warnings: object[] = [];
/** The clock goes 60 times as fast, so that the wait for transactions is short. */
const fastClock = () => {
  const started = performance.now();
  return { now: () => 1_800_000_000_000 + (performance.now() - started) * 60 };
};
const ship = (sinkUrl: string, clock = fastClock()): (() => Promise<void>) => {
  const end = startShipLogs({
    db,
    sinkUrl,
    outbound: createOutbound({ guard: createAddressGuard('allow') }),
    clock,
    everyMs: 100,
    metrics: new Registry(),
    log: { warn: (facts) => void warnings.push(facts) },
    onError: (error) => {
      throw error;
    },
  });
  ends.push(end);
  return end;
};

const addRows = async (from: number, count: number): Promise<void> => {
  for (let index = from; index < from + count; index += 1)
    await addNote(db, { created_at: 1_800_000_000 + index, type: logType.system, content: `record ${index}` });
};
const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `record ${from + index}`);
/** Columns that a row takes from another one. */
const copied = logColumns.filter((name) => name !== 'created_at' && name !== 'content');
/** After so many a row counts as settled on PostgreSQL. */
const settledSeconds = 35;
/** The whole lines of a file: the last one may still be written. */
const linesOf = async (path: string) =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1).map(parseObject);

test('every row goes to a file once and in order, also over a restart and a torn last line', async () => {
  const path = join(folder, 'below', 'calls.jsonl');
  await addRows(0, 5);
  const end = ship(pathToFileURL(path).href);
  await until(async () => (await linesOf(path)).length === 5);
  await end();
  await addRows(5, 3);
  // As a power failure in the middle of a write leaves it.
  await appendFile(path, '{"id":6,"content":"record');
  ship(pathToFileURL(path).href);
  await until(async () => (await linesOf(path)).length === 8);
  const lines = await linesOf(path);
  expect(lines.map((line) => line['content'])).toEqual(names(0, 8));
  expect(lines[0]).toMatchObject({ type: 4, created_at: 1_800_000_000, quota: 0, channel_id: 0, detail: {} });
});

test('a file is rotated by its size, and the oldest are deleted', async () => {
  const path = join(folder, 'calls.jsonl');
  const long = 'x'.repeat(600_000);
  ship(`${pathToFileURL(path).href}?max_mb=1&keep=2`);
  for (let index = 0; index < 4; index += 1) {
    await addNote(db, { created_at: 1_800_000_000 + index, type: logType.system, content: `${index} ${long}` });
    await until(async () => (await linesOf(path)).some((line) => String(line['content']).startsWith(`${index} `)));
  }
  expect((await readdir(folder)).toSorted()).toEqual(['calls.jsonl', 'calls.jsonl.1', 'calls.jsonl.2']);
  expect((await linesOf(`${path}.2`)).map((line) => String(line['content']).slice(0, 1))).toEqual(['1']);
}, 120_000);

test('ClickHouse gets batches with its account and a token, and a refused batch again', async () => {
  const receiver = await startClickHouse('weir:p@ss word');
  ends.push(receiver.close);
  await addRows(0, 1500);
  receiver.refuse(1);
  const query = encodeURIComponent('INSERT INTO weir.logs FORMAT JSONEachRow');
  ship(`http://weir:p%40ss%20word@127.0.0.1:${receiver.port}/?query=${query}`);
  await until(() => receiver.records.length === 1500);
  expect(receiver.records.map((record) => record['content'])).toEqual(names(0, 1500));
  expect(receiver.heads).toHaveLength(3);
  expect(receiver.heads[0]).toBe(receiver.heads[1]);
  expect(JSON.stringify(warnings.splice(0))).not.toContain('p@ss');
});

test('a stop waits for the batch in flight, and leaves the others to the next start', async () => {
  const receiver = await startClickHouse('weir:password');
  ends.push(receiver.close);
  await addRows(0, 1);
  await repeatLogs(db, 30_000);
  const query = encodeURIComponent('INSERT INTO weir.logs FORMAT JSONEachRow');
  const end = ship(`http://weir:password@127.0.0.1:${receiver.port}/?query=${query}`);
  await until(() => receiver.heads.length > 0);
  const sent = receiver.heads.length;
  await end();
  expect(receiver.heads.length).toBeLessThanOrEqual(sent + 1);
});

/** A clock that stands still but for `pass`, which leaves the shipping the time to look at the end of the log before. */
const slowClock = () => {
  let seconds = 1_800_000_000;
  const pass = async (passed: number) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    seconds += passed;
  };
  return { now: () => seconds * 1000, pass };
};

test('an object store gets compressed batches, signed, and a batch that comes again replaces its object', async () => {
  const store = await startObjectStore('s/cret+key');
  ends.push(store.close);
  const clock = slowClock();
  store.refuse(Infinity);
  await addRows(0, 3);
  const secret = encodeURIComponent('s/cret+key');
  const end = ship(`s3+http://KEYID:${secret}@127.0.0.1:${store.port}/bucket/all calls/?region=eu-test-1`, clock);
  await clock.pass(settledSeconds);
  await until(() => store.records.length === 3);
  await addRows(3, 2);
  await clock.pass(settledSeconds);
  await until(() => store.records.length === 5);
  const tried = store.heads.length;
  store.refuse(0);
  await until(() => store.heads.length > tried);
  await addRows(5, 1);
  await clock.pass(60 + settledSeconds);
  await until(() => store.records.length === 6);
  await end();
  expect(store.records.map((record) => record['content'])).toEqual(names(0, 6));
  const day = '/bucket/all calls/2027/01/15';
  expect([...store.objects.keys()]).toEqual([`${day}/0000000000000001.jsonl.gz`, `${day}/0000000000000006.jsonl.gz`]);
  expect(new Set(store.heads)).toEqual(
    new Set([...store.objects.keys()].map((name) => `PUT ${encodeURI(name)} application/gzip`)),
  );
  const warned = JSON.stringify(warnings.splice(0).map((facts) => Object.values(facts).map(String)));
  expect(warned).toContain('status 503: SlowDown');
  expect(warned).not.toMatch(/cret|KEYID/);
});

test('a batch for an object store waits until it is full, or for a minute', async () => {
  const store = await startObjectStore('secret');
  ends.push(store.close);
  const clock = slowClock();
  await addRows(0, 1);
  ship(`s3+http://KEYID:secret@127.0.0.1:${store.port}/bucket?region=eu-test-1`, clock);
  await clock.pass(settledSeconds);
  await until(() => store.heads.length === 1);
  await addRows(1, 1);
  await clock.pass(10);
  await clock.pass(0);
  expect(store.heads).toHaveLength(1);
  await repeatLogs(db, 9_999);
  await clock.pass(settledSeconds);
  await until(() => store.heads.length === 2);
  expect(store.records).toHaveLength(10_001);
});

test('syslog gets one message for each row with its time, and a batch again where the connection was cut', async () => {
  const receiver = await startSyslogServer();
  ends.push(receiver.close);
  await addRows(0, 3);
  receiver.refuse(1);
  ship(`syslog://127.0.0.1:${receiver.port}`);
  await until(() => receiver.records.length === 3);
  expect(receiver.records.map((record) => record['content'])).toEqual(names(0, 3));
  expect(receiver.heads[2]).toContain('<134>1 2027-01-15T08:00:02.000Z ');
});

test('rows of a transaction that is still open are not passed over', async () => {
  if (db.kind === 'sqlite') {
    // One writer: ids are given in the order in which they are seen.
    expect((await markLog(db)).before).toBe('');
    return;
  }
  const path = join(folder, 'calls.jsonl');
  await addRows(0, 2);
  ship(pathToFileURL(path).href);
  await until(async () => (await linesOf(path)).length === 2);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slow = db.write.transaction().execute(async (trx) => {
    await trx
      .insertInto('logs')
      .columns(['created_at', 'content', ...copied])
      .expression((eb) =>
        eb
          .selectFrom('logs')
          .select([eb.lit(1_800_000_002).as('created_at'), eb.val('record 2').as('content'), ...copied])
          .limit(1),
      )
      .execute();
    held.resolve();
    // Longer than the wait of the shipping, shorter than the limit of an idle transaction.
    await gate;
  });
  await held.promise;
  await addRows(3, 1);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(await linesOf(path)).toHaveLength(2);
  open();
  await slow;
  await until(async () => (await linesOf(path)).length === 4);
  expect((await linesOf(path)).map((line) => line['content'])).toEqual(names(0, 4));
});

test('a sink that cannot work is refused at the start, with the name of its variable', () => {
  for (const url of [
    'file:///var/log/calls.jsonl?max_mb=many',
    'file:///var/log/calls.jsonl?keep=0',
    'syslog://',
    's3://host/bucket',
    's3://a:b@host/',
  ])
    expect(() => ship(url), url).toThrow(/^LOG_SINK_URL/);
});
