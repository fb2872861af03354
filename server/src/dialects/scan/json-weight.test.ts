import { expect, test } from 'vitest';
import { parsedBytes } from './json-weight.ts';

const listOf = (unit: string, count: number) => Buffer.from(`[${Array.from({ length: count }, () => unit).join(',')}]`);

test('S2 S3 lists and objects weigh more than their bytes, texts and numbers do not', () => {
  expect(parsedBytes(listOf('{}', 100_000))).toBe(100_001 * 64);
  expect(parsedBytes(listOf('[[]]', 50_000))).toBe(100_001 * 64);
  expect(parsedBytes(listOf('0.25', 100_000))).toBe(64);
  expect(parsedBytes(listOf('"{{[[\\"{"', 100_000))).toBe(64);
  expect(parsedBytes(listOf('{}', 100))).toBe(0);
});

test('S2 S3 a text of a million lists is not parsed, whether it ends or not', () => {
  expect(parsedBytes(listOf('[]', 1_000_000))).toBeNull();
  expect(parsedBytes(Buffer.from('['.repeat(1_000_001)))).toBeNull();
  expect(parsedBytes(Buffer.from(`["${'['.repeat(1_000_001)}`))).toBe(64);
});
