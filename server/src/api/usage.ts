import { getDashboard } from '@weir/contract/users';
import { route, type Routes } from '../http/route.ts';
import { sumModelDays } from '../store/log-hours.ts';

interface UsageRoutesDeps {
  readonly clock: { now(): number };
}

const dayMs = 86_400_000;
const hoursPerDay = 24;
const dashboardDays = 7;

const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const usageRoutes = (routes: Routes, { clock }: UsageRoutesDeps): void => {
  const { db } = routes.deps;

  route(routes, getDashboard, async ({ actor }) => {
    const tomorrow = Math.floor(clock.now() / dayMs) + 1;
    const range = { from: (tomorrow - dashboardDays) * hoursPerDay, before: tomorrow * hoursPerDay };
    const days = await sumModelDays(db, { userId: actor.user.id, ...range });
    return {
      data: days.map((row) => ({
        Day: dayText(row.day),
        ModelName: row.model,
        RequestCount: row.requests,
        Quota: row.quota,
        PromptTokens: row.promptTokens,
        CompletionTokens: row.completionTokens,
      })),
    };
  });
};
