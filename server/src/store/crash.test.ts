import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../../test/database.ts';
import { openDatabase } from './database.ts';
import { verifyLedger } from './verify.ts';

const rounds = 6;

/** Lets a process move money, kills it after `lines` acknowledgements and returns them all. */
const stormUntilKilled = async (
  { dataDir, databaseUrl }: TestPlace,
  round: number,
  lines: number,
): Promise<string[]> => {
  const script = join(import.meta.dirname, '..', '..', 'test', 'posting-storm.ts');
  const child = spawn(process.execPath, [script, dataDir, String(round)], {
    env: { PATH: process.env['PATH'], ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > lines) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await once(child, 'close');
  expect(errors).toBe('');
  return output.split('\n').slice(0, -1);
};

test('kill -9 at any moment loses nothing that was acknowledged, and the ledger agrees', async () => {
  const place = await createTestPlace();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await stormUntilKilled(place, round, 100 + round * 701)));
    const db = await openDatabase(place);
    expect((await verifyLedger(db.query, db.kind)).findings).toEqual([]);
    const entries = await db.query.selectFrom('ledger').select(['request_id', 'amount', 'reason']).execute();
    const charges = new Map(entries.map((entry) => [entry.request_id, entry]));
    const named = (state: string) =>
      acknowledged.filter((line) => line.startsWith(state)).map((line) => line.split(' ')[1] ?? '');
    const settled = new Set(named('settled'));
    expect(
      [...settled].filter((id) => charges.get(id) === undefined || charges.get(id)?.reason === 'recovered'),
    ).toEqual([]);
    // What was delivered but not settled when the process died is charged at its last checkpoint.
    const open = named('progressed').filter((id) => !settled.has(id));
    expect(open.filter((id) => charges.get(id) === undefined)).toEqual([]);
    expect(await db.query.selectFrom('holds').selectAll().execute()).toEqual([]);
    await db.close();
  }
  expect(acknowledged.filter((line) => line.startsWith('settled')).length).toBeGreaterThan(rounds);
  await place.remove();
});
