import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSecretKey } from './secret-key.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weir-key-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (name: string) => join(dir, name);

test('the first start makes a key that only its owner can read, and later starts read the same one', () => {
  const dataDir = file('new/data');
  const key = readSecretKey(dataDir);
  expect(key).toHaveLength(32);
  expect(readSecretKey(dataDir)).toEqual(key);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('an empty key file that a crash left behind is replaced where nothing was sealed yet', () => {
  writeFileSync(file('secret.key'), '');
  const key = readSecretKey(dir);
  expect(readFileSync(file('secret.key'), 'utf8').trim()).toBe(key.toString('hex'));
});

test('a database without its key is refused: no new key is made beside it', () => {
  writeFileSync(file('weir.db'), 'rows');
  expect(() => readSecretKey(dir)).toThrow(`${file('secret.key')} is missing; restore the key`);
  expect(existsSync(file('secret.key'))).toBe(false);
  writeFileSync(file('secret.key'), ' \n');
  expect(() => readSecretKey(dir)).toThrow('is missing; restore the key');
});

test('a key file that holds no key is refused and not changed', () => {
  for (const text of ['short', 'z'.repeat(64), `${'ab'.repeat(32)} and more`]) {
    writeFileSync(file('secret.key'), text);
    expect(() => readSecretKey(dir)).toThrow('does not hold a key of 64 hexadecimal digits');
    expect(readFileSync(file('secret.key'), 'utf8')).toBe(text);
  }
});

test('a path that cannot be used is named with the reason', () => {
  writeFileSync(file('plain'), '');
  expect(() => readSecretKey(file('plain/data'))).toThrow(
    `The data directory ${file('plain/data')} cannot be used: ENOTDIR`,
  );
});
