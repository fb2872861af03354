import type { DataOf } from '@weir/contract/endpoint';
import type { Usage, UsageSums } from '@weir/contract/usage';
import type { getDashboard } from '@weir/contract/users';
import { daySeconds } from '../../lib/usage-range.ts';

/** Of servers that leave it empty, `null`. */
type Days = DataOf<typeof getDashboard> | null;

const none: UsageSums = { requests: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 };
const namesMax = 7;

const sum = (one: UsageSums, other: UsageSums): UsageSums => ({
  requests: one.requests + other.requests,
  quota: one.quota + other.quota,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
});

/** The own usage of the last seven UTC days by model, from what every server of the contract reports. */
export const weekUsage = (days: Days, nowSeconds: number): Usage => {
  const today = Math.floor(nowSeconds / daySeconds);
  const rows = (days ?? []).map((row) => ({
    at: Date.parse(`${row.Day}T00:00:00Z`) / 1000,
    name: row.ModelName,
    requests: row.RequestCount,
    quota: row.Quota,
    prompt_tokens: row.PromptTokens,
    completion_tokens: row.CompletionTokens,
  }));
  const byModel = Map.groupBy(rows, ({ name }) => name);
  const names = [...byModel]
    .map(([name, own]) => ({ name, title: name, ...own.reduce(sum, none), quota_before: 0 }))
    .toSorted((one, other) => other.quota - one.quota)
    .slice(0, namesMax);
  const shown = new Set(names.map(({ name }) => name));
  const others = rows.filter(({ name }) => !shown.has(name));
  return {
    from: (today - 6) * daySeconds,
    before: (today + 1) * daySeconds,
    step: daySeconds,
    total: rows.reduce(sum, none),
    total_before: none,
    // Such a server does not count them.
    refused: 0,
    names,
    buckets: [
      ...rows.filter(({ name }) => shown.has(name)),
      ...[...Map.groupBy(others, ({ at }) => at)].map(([at, own]) => ({ at, name: null, ...own.reduce(sum, none) })),
    ],
  };
};
