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

test('S10 verify ends beside a foreign write-ahead log, which SQLite ignores', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-test-'));
  copyFileSync(join(good, 'weir.db'), join(dataDir, 'weir.db'));
  writeFileSync(join(dataDir, 'weir.db-wal'), randomBytes(20_000));
  expect(await runVerify(dataDir)).toMatchObject({ code: 0 });
  rmSync(dataDir, { recursive: true });
});
