import type { AccountStatement } from '@weir/contract/bills/account-statements';
import type { UsageSums } from '../../components/table/usage-table.tsx';

type UsageRow = AccountStatement['usage'][number];

/** Usage of one model or day. */
interface UsageSum extends UsageSums {
  readonly name: string;
}

const added = (name: string, rows: readonly UsageRow[]): UsageSum => {
  const sum = { name, calls: 0, promptTokens: 0, completionTokens: 0, quota: 0 };
  for (const row of rows) {
    sum.calls += row.requests;
    sum.promptTokens += row.prompt_tokens;
    sum.completionTokens += row.completion_tokens;
    sum.quota += row.quota;
  }
  return sum;
};

/** Most quota first; models without a name are the rest. */
export const sumsByModel = (rows: readonly UsageRow[]): readonly UsageSum[] =>
  [...Map.groupBy(rows, ({ model }) => model)]
    .map(([model, own]) => added(model, own))
    .toSorted((one, other) => other.quota - one.quota || other.calls - one.calls);

/** By UTC day, oldest first. */
export const sumsByDay = (rows: readonly UsageRow[]): readonly UsageSum[] =>
  [...Map.groupBy(rows, ({ day }) => day)]
    .toSorted(([one], [other]) => one - other)
    .map(([day, own]) => added(new Date(day * 1000).toISOString().slice(0, 10), own));

export const totalQuota = (rows: readonly UsageRow[]): number => rows.reduce((sum, { quota }) => sum + quota, 0);

const monthsShown = 24;

/** The months that can be chosen, `YYYY-MM`, the present one first. */
export const recentMonths = (nowMs: number): readonly string[] =>
  Array.from({ length: monthsShown }, (_, index) => {
    const now = new Date(nowMs);
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index)).toISOString().slice(0, 7);
  });
