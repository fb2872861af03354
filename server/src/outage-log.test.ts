import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTestStorage } from '../test/database/database.ts';
import { startFaultProxy } from '../test/faults/fault-proxy.ts';
import { parseObject } from '../test/parsing/json.ts';
import { startServer } from '../test/processes/server-process.ts';
import { AppError } from './errors.ts';
import { limitOutageLines } from './outage-log.ts';

test('S22 an outage is written once in ten seconds, with the number of lines left out; other failures always', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  const log = pino({ hooks: limitOutageLines(() => now) }, { write: (line) => void lines.push(parseObject(line)) });
  const fail = (error: Error) => log.error({ err: error, request_id: 'one' }, 'call failed');
  for (let count = 0; count < 100; count += 1) fail(new AppError('unavailable'));
  fail(new AppError('storage_full'));
  fail(new Error('a fault'));
  fail(new Error('a fault'));
  log.error({ err: new AppError('unavailable') }, 'another call failed');
  log.error('a text alone');
  now = 10_000;
  fail(new AppError('unavailable'));
  fail(new AppError('unavailable'));
  now = 20_000;
  fail(new AppError('unavailable'));
  expect(lines.map(({ msg, omitted }) => [msg, omitted])).toEqual([
    ['call failed', undefined],
    ['call failed', undefined],
    ['call failed', undefined],
    ['call failed', undefined],
    ['another call failed', undefined],
    ['a text alone', undefined],
    ['call failed', 99],
    ['call failed', 1],
  ]);
});

test('S22 calls that a server refuses while its database is away share a line of its log', async () => {
  const storage = await createTestStorage();
  const secretKey = { SECRET_KEY: 'ab'.repeat(32) };
  const url = new URL(storage.databaseUrl ?? 'postgres://unused:1');
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  const env = storage.databaseUrl === undefined ? secretKey : { ...secretKey, DATABASE_URL: url.href };
  const server = await startServer({ dataDir: storage.dataDir, env });
  const file = join(storage.dataDir, 'weir.db');
  // The server may just write.
  const other = storage.databaseUrl === undefined ? new DatabaseSync(file, { timeout: 10_000 }) : undefined;
  other?.exec('begin immediate');
  proxy.refuse();
  // Every attempt is counted in the database.
  const signIn = (count: number) =>
    fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ username: `unknown${count}`, password: 'a wrong password' }),
    });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, count) => signIn(count)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('unavailable');
  other?.exec('rollback');
  other?.close();
  proxy.allow();
  await server.stop('SIGTERM');
  const lines = server.output().match(/management request failed/g) ?? [];
  // A slow machine needs more than ten seconds for them.
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(4);
  await proxy.close();
  await storage.remove();
});
