import { listRetiringModels, retiringDays } from '@weir/contract/models';
import { currentModels } from '../../billing/price/book/current-models.ts';
import { createFactsReader } from '../../billing/price/book/model-facts.ts';
import { replacementOf } from '../../billing/price/book/replacement.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { route, type Routes } from '../../http/route.ts';

/** A model by the name that upstreams are called with, and the channels that do. */
interface SentModel {
  readonly model: string;
  readonly channels: readonly {
    readonly id: number;
    readonly name: string;
    readonly type: number;
    readonly requested: readonly string[];
  }[];
}

export interface RetiringModelsDeps {
  /** The models that enabled channels send to their upstreams. */
  sent(): Promise<readonly SentModel[]>;
  readonly prices: Pick<Prices, 'known'>;
  readonly clock: { now(): number };
}

interface Retiring {
  readonly model: string;
  readonly ends: string;
  readonly replacement: string;
}

interface RetiringChannel {
  readonly id: number;
  readonly name: string;
  readonly models: Retiring[];
}

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const channelsMax = 50;
const modelsMax = 50;

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);
const byEnd = (a: Retiring, b: Retiring): number => byText(a.ends, b.ends) || byText(a.model, b.model);

/** Models that end by `until`, with their replacements, by channel. */
const findRetiring = (
  models: readonly SentModel[],
  prices: RetiringModelsDeps['prices'],
  { day, until }: { readonly day: string; readonly until: string },
): readonly RetiringChannel[] => {
  const facts = createFactsReader(prices);
  let current: ReturnType<typeof currentModels> | undefined;
  const found = new Map<number, RetiringChannel>();
  for (const { model, channels } of models) {
    for (const { id, name, type, requested } of channels) {
      const { ends } = facts.of(type, model);
      if (ends === undefined || ends > until) continue;
      current ??= currentModels(prices.known().book, day, until);
      const replacement = replacementOf(model, current.get(type) ?? []) ?? '';
      const channel = found.get(id) ?? { id, name, models: [] };
      channel.models.push(...requested.map((each) => ({ model: each, ends, replacement })));
      found.set(id, channel);
    }
  }
  return [...found.values()].map((channel) => ({ ...channel, models: channel.models.toSorted(byEnd) }));
};

export const retiringModelRoutes = (routes: Routes, { sent, prices, clock }: RetiringModelsDeps): void => {
  route(routes, listRetiringModels, async () => {
    const now = clock.now();
    const days = { day: dayOf(now), until: dayOf(now + retiringDays * dayMs) };
    const channels = findRetiring(await sent(), prices, days)
      .toSorted((a, b) => byText(a.models[0]?.ends ?? '', b.models[0]?.ends ?? '') || a.id - b.id)
      .slice(0, channelsMax);
    return {
      data: channels.map(({ id, name, models }) => ({
        id,
        name,
        models: models.slice(0, modelsMax),
        more: Math.max(0, models.length - modelsMax),
      })),
    };
  });
};
