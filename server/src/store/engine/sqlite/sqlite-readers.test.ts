import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteConnection } from './sqlite-connection.ts';
import { type SqliteReaders, startSqliteReaders } from './sqlite-readers.ts';

const directory = mkdtempSync(join(tmpdir(), 'weir-readers-'));
const path = join(directory, 'weir.db');
let readers: SqliteReaders;

beforeAll(() => {
  const writer = openSqliteConnection(path, 'write');
  writer.database.exec('create table entries (id integer primary key, name text) strict');
  writer.close();
  readers = startSqliteReaders({
    path,
    onFatal: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await readers.close();
  rmSync(directory, { recursive: true });
});

const mb = 2 ** 20;
/** In memory that takes 70 MB. */
const groupMany = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1500000)
  select count(*) as groups from (select n * 7919 % 1499999 as a, n % 1000 as b, sum(n) from numbers group by 1, 2)`;

test('a transaction of reads sorts large tables in files, and its memory does not grow with them', async () => {
  const session = await readers.begin();
  await session.run({ sql: 'select count(*) from entries', parameters: [] });
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const { rows } = await session.run({ sql: groupMany, parameters: [] });
  clearInterval(timer);
  await session.end();
  expect(rows).toHaveLength(1);
  expect((most - before) / mb).toBeLessThan(48);
  expect(readdirSync(directory).filter((name) => !name.startsWith('weir.db'))).toEqual([]);
});
