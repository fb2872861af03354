import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openTestDatabase, testDatabaseKind } from '../../../../test/database/database.ts';
import { allParts, type Part, writerStatement } from './postgres-statements.ts';

if (testDatabaseKind === 'postgres') {
  test('RELAY-07 every part of a batch can be written by itself, and beside all others', async () => {
    const db = await openTestDatabase();
    const client = new Client({ connectionString: db.databaseUrl });
    await client.connect();
    const empty = (part: Part) => (part === 'charges' ? ['[]', '{}'] : ['[]']);
    for (const parts of [allParts, ...allParts.map((part) => [part])]) {
      const { name, text } = writerStatement(parts);
      const { rowCount } = await client.query({ name, text, values: parts.flatMap(empty) });
      expect(rowCount).toBe(0);
    }
    await client.end();
    await db.close();
  });
}

test('RELAY-07 statements of different parts have different names, which PostgreSQL does not cut', () => {
  const lists = allParts.flatMap((part, index) => [[part], allParts.slice(index)]);
  const names = new Set(lists.map((parts) => writerStatement(parts).name));
  // The last part is the last list too.
  expect(names.size).toBe(lists.length - 1);
  for (const name of names) expect(name.length).toBeLessThan(64);
});
