import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../../../test/database/database.ts';
import { openDatabase } from '../open-database.ts';
import { verifyLedger } from './verify.ts';

const rounds = 6;
const script = join(import.meta.dirname, '..', '..', '..', 'test', 'faults', 'posting-storm.ts');

const start = (command: string, args: readonly string[], { databaseUrl }: TestStorage) => {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  return child;
};

/** Lets a process move money, kills it after `lines` acknowledgements and returns them all. */
const stormUntilKilled = async (storage: TestStorage, round: number, lines: number): Promise<string[]> => {
  const child = start(process.execPath, [script, storage.dataDir, String(round)], storage);
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > lines) child.kill('SIGKILL');
  });
  child.stderr.on('data', (text: string) => (errors += text));
  await once(child, 'close');
  expect(errors).toBe('');
  return output.split('\n').slice(0, -1);
};

/** Opens the database again and holds it against what was acknowledged. */
const expectKept = async (storage: TestStorage, acknowledged: readonly string[]) => {
  const db = await openDatabase(storage);
  expect((await verifyLedger(db)).findings).toEqual([]);
  const entries = await db.read.selectFrom('ledger').select(['request_id', 'reason']).execute();
  const reasons = new Map(entries.map((entry) => [entry.request_id, entry.reason]));
  const named = (state: string) =>
    acknowledged.filter((line) => line.startsWith(state)).map((line) => line.split(' ')[1] ?? '');
  const settled = new Set(named('settled'));
  expect([...settled].filter((id) => reasons.get(id) !== '')).toEqual([]);
  // What was delivered but not settled when the process died is charged at its last checkpoint.
  expect(named('progressed').filter((id) => !settled.has(id) && !reasons.has(id))).toEqual([]);
  expect(await db.read.selectFrom('holds').selectAll().execute()).toEqual([]);
  await db.close();
};

test('kill -9 at any moment loses nothing that was acknowledged, and the ledger agrees', async () => {
  const storage = await createTestStorage();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await stormUntilKilled(storage, round, 100 + round * 701)));
    await expectKept(storage, acknowledged);
  }
  expect(acknowledged.filter((line) => line.startsWith('settled')).length).toBeGreaterThan(rounds);
  await storage.remove();
});

if (testDatabaseKind === 'sqlite') {
  test('a write that fails in the file system stops the writer for good and loses nothing acknowledged', async () => {
    const storage = await createTestStorage();
    // No file may grow beyond 3 MB: the log of the database soon does.
    const child = start(
      'sh',
      ['-c', `ulimit -f 6000; exec "$0" "$@"`, process.execPath, script, storage.dataDir, '0'],
      storage,
    );
    let output = '';
    child.stdout.on('data', (text: string) => (output += text));
    await once(child, 'close');
    const lines = output.split('\n').slice(0, -1);
    expect(child.exitCode).toBe(1);
    expect(lines.at(-1)).toBe('fatal');
    expect(lines.length).toBeGreaterThan(100);
    await expectKept(storage, lines);
    await storage.remove();
  });
}
