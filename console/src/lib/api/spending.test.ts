import { expect, test } from 'vitest';
import { daysLeft } from './spending.ts';

const day = { Day: '2026-11-20', ModelName: 'm', RequestCount: 1, PromptTokens: 1, CompletionTokens: 1 };

test('TOP-03 C23 the forecast of a balance uses the last seven days, if they have usage', () => {
  expect(
    daysLeft(1000, [
      { ...day, Quota: 500 },
      { ...day, Quota: 200 },
    ]),
  ).toBe(10);
  expect(daysLeft(0, [{ ...day, Quota: 500 }])).toBe(0);
  expect(daysLeft(1000, [])).toBeUndefined();
  expect(daysLeft(1000, [{ ...day, Quota: 0 }])).toBeUndefined();
  expect(daysLeft(1_000_000, [{ ...day, Quota: 1 }])).toBeUndefined();
});
