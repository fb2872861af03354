import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDatabaseKind } from '../database/database.ts';
import { runFailpoint } from './failpoint-runs.ts';
import { failpoints } from './failpoints.ts';

test('RELAY-07 F02 every failpoint matches one source position, and has a unique name', () => {
  const sources = join(import.meta.dirname, '..', '..', 'src');
  for (const { name, file, text } of failpoints) {
    expect(readFileSync(join(sources, file), 'utf8').split(text), name).toHaveLength(2);
  }
  expect(new Set(failpoints.map(({ name }) => name)).size).toBe(failpoints.length);
});

/** A selection; `npm run verify:long` runs every failpoint twenty times. */
const committed =
  testDatabaseKind === 'sqlite'
    ? ['sqlite-batch-committed']
    : ['postgres-batch-at-once-written', 'postgres-batch-committed'];
for (const failpoint of [...committed, 'code-committed']) {
  test(`RELAY-07 F02 a server that is killed at ${failpoint} leaves a ledger that agrees with clients, upstream and operators`, async () => {
    const point = failpoints.find(({ name }) => name === failpoint);
    expect(point && (await runFailpoint(point, 1))).toMatchObject({ kills: 1, disagreements: [] });
  }, 300_000);
}
