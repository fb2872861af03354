import { expect, test } from 'vitest';
import { weekUsage } from './week-usage.ts';

const now = Date.UTC(2026, 10, 23, 12) / 1000;
const day = (Day: string, ModelName: string, Quota: number) => ({
  Day,
  ModelName,
  RequestCount: 2,
  Quota,
  PromptTokens: 3,
  CompletionTokens: 4,
});

test('W4 the days that every server of the contract reports are the usage of a week by model', () => {
  const usage = weekUsage([day('2026-11-17', 'a', 5), day('2026-11-23', 'b', 7), day('2026-11-23', 'a', 1)], now);
  expect(usage).toMatchObject({
    from: Date.UTC(2026, 10, 17) / 1000,
    before: Date.UTC(2026, 10, 24) / 1000,
    total: { requests: 6, quota: 13, prompt_tokens: 9, completion_tokens: 12 },
  });
  expect(usage.names.map(({ name, quota }) => [name, quota])).toEqual([
    ['b', 7],
    ['a', 6],
  ]);
  expect(usage.buckets).toHaveLength(3);
});

test('W4 models beyond the seventh are one sum a day, and a server without usage reports null', () => {
  const many = Array.from({ length: 9 }, (_, index) => day('2026-11-23', `m${index}`, 100 - index));
  const usage = weekUsage(many, now);
  expect(usage.names).toHaveLength(7);
  expect(usage.buckets.filter(({ name }) => name === null)).toMatchObject([{ quota: 92 + 93, requests: 4 }]);
  expect(weekUsage(null, now)).toMatchObject({ names: [], buckets: [], total: { requests: 0 } });
});
