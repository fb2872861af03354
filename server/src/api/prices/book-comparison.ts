import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultGroup } from '@weir/contract/groups';
import { type BookComparison, type BookDifference, comparedDays } from '@weir/contract/prices/book-updates';
import type { PriceBook } from '@weir/contract/prices/price-book';
import {
  type BookEffect,
  differenceFinder,
  type FindDifference,
  readBookEffects,
} from '../../billing/price/book/book-effects.ts';
import { cardOfPrice } from '../../billing/price/book/built-in-card.ts';
import { bookAfter, compareBooks, type Difference, keyOf } from '../../billing/price/book/compare-books.ts';
import type { PricePreview, Prices } from '../../billing/price/prices.ts';
import { one, parseRatio, type Ratio, ratioToNumber } from '../../billing/price/ratio.ts';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';

/** What channels send, for the models that are offered and the costs of their calls. */
export interface SentAtCost {
  readonly model: string;
  readonly channels: readonly { readonly id: number; readonly type: number; readonly costFactor: Ratio }[];
}

export interface ComparisonDeps {
  readonly db: Database;
  readonly options: Options;
  readonly prices: Prices;
  readonly clock: { now(): number };
  /** The models that enabled channels send to their upstreams. */
  sent(): Promise<readonly SentAtCost[]>;
}

/** Differences that are looked at without a pause: some 10 ms. */
const atOnce = 200;

const effectMembers = (effect: BookEffect): NonNullable<BookDifference['effect']> => ({
  calls: effect.calls,
  users: effect.users,
  top: effect.top.map(({ userId: id, name, requests: calls }) => ({ id, name, calls })),
  prompt_tokens: effect.promptTokens,
  completion_tokens: effect.completionTokens,
  charged: effect.charged,
  cost: effect.cost,
  charge_before: effect.chargeBefore,
  charge_after: effect.chargeAfter,
  cost_before: effect.costBefore,
  cost_after: effect.costAfter,
  refused: effect.refused,
});

interface Look {
  readonly preview: PricePreview;
  readonly unitsPerDollar: Ratio;
  readonly effects: ReadonlyMap<string, BookEffect>;
  readonly offered: ReadonlySet<string>;
}

/** A price that is of the operator stays, wherever a list has another one. */
const keptBy = (source: string): '' | 'ratio' | 'own' => (source === 'ratio' || source === 'own' ? source : '');

const differenceOf = ({ preview, unitsPerDollar, effects, offered }: Look, difference: Difference): BookDifference => {
  const { vendor, model, kind, day, before, after, members } = difference;
  const effect = effects.get(keyOf(difference));
  const question = { model, channelType: 0, group: defaultGroup };
  const now = preview.before.price(question);
  const builtIn = before === null && now.origin.source === 'built_in' ? cardOfPrice(now, unitsPerDollar) : null;
  return {
    vendor,
    model,
    kind,
    day,
    before: before?.price ?? builtIn,
    built_in: builtIn !== null,
    after: after?.price ?? null,
    members: [...members],
    ends: (after ?? before)?.ends ?? '',
    offered: offered.has(keyOf(difference)),
    kept: effect?.kept ?? keptBy(preview.after.price(question).origin.source),
    effect: effect === undefined ? null : effectMembers(effect),
  };
};

const offeredKeys = (sent: readonly SentAtCost[], find: FindDifference): ReadonlySet<string> =>
  new Set(
    sent.flatMap(({ model, channels }) => channels.flatMap(({ type }) => find({ model, channelType: type }) ?? [])),
  );

const byUse = (first: BookDifference, second: BookDifference): number =>
  Number(second.effect !== null || second.offered) - Number(first.effect !== null || first.offered) ||
  (second.effect?.charged ?? 0) - (first.effect?.charged ?? 0) ||
  // A book of a few models lacks all others.
  Number(first.kind === 'removed') - Number(second.kind === 'removed');

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Compares a book with the one in force, each difference with its traffic. */
export const compareWithTraffic = async (
  { db, options, prices, clock, sent: readSent }: ComparisonDeps,
  old: PriceBook | null,
  next: PriceBook,
): Promise<Omit<BookComparison, 'proposal' | 'against'>> => {
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const comparison = compareBooks(old, next, today);
  await nextTurn();
  const preview = prices.preview(bookAfter(old, comparison, today));
  const find = differenceFinder(preview, new Set(comparison.differences.map(keyOf)), today);
  const sent = await readSent();
  const costFactors = new Map(
    sent.flatMap(({ channels }) => channels.map(({ id, costFactor }) => [id, costFactor] as const)),
  );
  const effects = await readBookEffects(db, { preview, find, days: comparedDays, nowMs, costFactors });
  const unitsPerDollar = parseRatio(options.text('QuotaPerUnit')) ?? one;
  const look = { preview, unitsPerDollar, effects, offered: offeredKeys(sent, find) };
  const differences: BookDifference[] = [];
  for (const [index, difference] of comparison.differences.entries()) {
    if (index % atOnce === atOnce - 1) await nextTurn();
    differences.push(differenceOf(look, difference));
  }
  return {
    unchanged: comparison.unchanged,
    differences: differences.toSorted(byUse),
    today,
    quota_per_dollar: ratioToNumber(unitsPerDollar),
  };
};
