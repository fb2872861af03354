import { expect, test } from 'vitest';
import { createMemoryBudget, MemoryError, mustHold } from './memory-budget.ts';
import { memoryLimits, sizeLimits } from './memory-limits.ts';

test('S2 S3 what is held counts for the call, its user and the process', () => {
  const budget = createMemoryBudget({ callMax: 100, userMax: 150, processMax: 250 });
  const first = budget.open(1);
  const body = first.part();
  const answer = first.part();
  expect(body.resize(60)).toBeNull();
  expect(answer.resize(41)).toBe('call');
  expect(answer.resize(40)).toBeNull();
  const second = budget.open(1).part();
  expect(second.resize(51)).toBe('user');
  expect(second.resize(50)).toBeNull();
  const other = budget.open(2);
  const others = other.part();
  expect(others.resize(100)).toBeNull();
  expect(budget.open(3).part().resize(1)).toBe('process');
  expect(budget.held()).toBe(250);
  expect(budget.refused()).toEqual({ call: 1, user: 1, process: 1 });
  other.end();
  expect(budget.held()).toBe(150);
  expect(body.resize(10)).toBeNull();
  expect(budget.held()).toBe(100);
});

test('S2 S3 a refused size changes nothing, and an ended call holds nothing', () => {
  const budget = createMemoryBudget({ callMax: 10, userMax: 10, processMax: 10 });
  const call = budget.open(1);
  const part = call.part();
  mustHold(part, 8);
  expect(() => mustHold(part, 11)).toThrow(MemoryError);
  expect(budget.held()).toBe(8);
  call.end();
  call.end();
  expect(part.resize(5)).toBeNull();
  expect(budget.held()).toBe(0);
});

test('R22 the sizes of an operator, and what follows from them', () => {
  const mebibyte = 1024 * 1024;
  expect(memoryLimits({ memoryMb: 256 })).toEqual({
    processMax: 256 * mebibyte,
    userMax: 128 * mebibyte,
    callMax: 128 * mebibyte,
  });
  expect(memoryLimits({ memoryMb: 1000, memoryUserMb: 700, memoryCallMb: 50 })).toMatchObject({
    userMax: 700 * mebibyte,
    callMax: 50 * mebibyte,
  });
  expect(memoryLimits().processMax).toBeGreaterThanOrEqual(128 * mebibyte);
  expect(sizeLimits({ bodyMaxMb: 32 })).toEqual({ bodyMax: 32 * mebibyte });
});
