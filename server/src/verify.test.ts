import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { addCaller, addToken } from '../test/database/accounts.ts';
import { createSecrets } from './store/credentials/secrets.ts';
import { tokenKeyColumns } from './store/tokens.ts';
import { openDatabase } from './store/open-database.ts';

const script = join(import.meta.dirname, 'verify.ts');
let good = '';
beforeAll(async () => {
  good = mkdtempSync(join(tmpdir(), 'weir-test-'));
  await (await openDatabase({ dataDir: good })).close();
});
afterAll(() => rmSync(good, { recursive: true }));

const runVerify = async (dataDir: string) => {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, output };
};

const overwrite = (path: string, start: number, length: number): void => {
  const file = openSync(path, 'r+');
  writeSync(file, randomBytes(length), 0, length, start);
  closeSync(file);
};

test('verify ends with 0 where the ledger matches the balances', async () => {
  expect(await runVerify(good)).toMatchObject({ code: 0 });
});

const damages: Readonly<Record<string, (path: string) => void>> = {
  garbage: (path) => writeFileSync(path, randomBytes(20_000)),
  'a truncated file': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'a header with other bytes': (path) => overwrite(path, 16, 84),
  'pages with other bytes': (path) => overwrite(path, 4096, statSync(path).size - 4096),
};
test.each(Object.keys(damages))('S10 verify ends with 2 and a reason on %s', async (name) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  const path = join(dataDir, 'weir.db');
  copyFileSync(join(good, 'weir.db'), path);
  damages[name]?.(path);
  const { code, output } = await runVerify(dataDir);
  expect(output).toMatch(/^The ledger cannot be checked: .+\n$/);
  expect(code).toBe(2);
  rmSync(dataDir, { recursive: true });
});

const verdictOf = async (dataDir: string): Promise<string> => {
  const { code, output } = await runVerify(dataDir);
  return `${code}: ${output}`;
};

test('O1 verify ends with 1 on a copy with damaged pages, without its key or with another, and says what it checked', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  const path = join(dataDir, 'weir.db');
  const key = randomBytes(32);
  const secrets = createSecrets(key);
  const db = await openDatabase({ dataDir, secretFingerprint: secrets.fingerprint });
  const caller = await addCaller(db, 1000);
  await addToken(db, caller.userId, tokenKeyColumns(secrets, 'k'.repeat(48)));
  await db.close();
  expect(await verdictOf(dataDir)).toMatch(/^1: (?:Checked.*\n)?Not usable: .*missing/);
  writeFileSync(join(dataDir, 'secret.key'), 'ab'.repeat(32));
  expect(await verdictOf(dataDir)).toMatch(/^1: (?:Checked.*\n)?Not usable: .*another/);
  writeFileSync(join(dataDir, 'secret.key'), key.toString('hex'));
  const { code, output } = await runVerify(dataDir);
  expect(output).toMatch(/Checked: .*quick_check[^]*Checked: .*opens a sealed key of tokens[^]*ledger matches/);
  expect(code).toBe(0);
  const database = new DatabaseSync(path);
  const page = database.prepare(`select rootpage from sqlite_schema where name = 'options'`).get()?.['rootpage'];
  database.close();
  overwrite(path, (Number(page) - 1) * 4096, 4096);
  expect(await verdictOf(dataDir)).toMatch(/^1: Not usable: .*damaged/);
  rmSync(dataDir, { recursive: true });
});

test('S10 verify ends beside a foreign write-ahead log, which SQLite ignores', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  copyFileSync(join(good, 'weir.db'), join(dataDir, 'weir.db'));
  writeFileSync(join(dataDir, 'weir.db-wal'), randomBytes(20_000));
  expect(await runVerify(dataDir)).toMatchObject({ code: 0 });
  rmSync(dataDir, { recursive: true });
});
