import { expect, test } from 'vitest';
import { giveBack, joinPieces } from './join-pieces.ts';

const large = 32 * 1024;

test('19.3 memory of its own is given back, shared memory is not', () => {
  const own = Buffer.alloc(large, 'a');
  giveBack(own);
  expect(own).toHaveLength(0);
  const shared = Buffer.alloc(2 * large, 'b');
  giveBack(shared.subarray(0, large));
  expect(shared).toHaveLength(2 * large);
  const pooled = Buffer.from('c');
  giveBack(pooled);
  expect(pooled.toString()).toBe('c');
});

test('19.3 pieces are given back once they are joined, a single one stays', () => {
  const pieces = [Buffer.alloc(large, 'a'), Buffer.alloc(large, 'b')];
  const whole = joinPieces(pieces);
  expect([whole.length, whole[0], whole.at(-1)]).toEqual([2 * large, 0x61, 0x62]);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0]);
  const one = Buffer.alloc(large, 'c');
  expect(joinPieces([one])).toBe(one);
  expect(one).toHaveLength(large);
});
