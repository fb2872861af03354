import { expect, test } from 'vitest';
import { durationText } from './limit-headers.ts';

test.each([
  [0, '0ms'],
  [119.2, '120ms'],
  [999, '999ms'],
  [1000, '1s'],
  [6450, '6.5s'],
  [59_999, '1m0s'],
  [90_000, '1m30s'],
  [7_200_000, '2h0m0s'],
  [86_399_950, '24h0m0s'],
])('%d ms are written as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
