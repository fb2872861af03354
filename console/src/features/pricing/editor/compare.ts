import type { OwnPrice, PricedModel } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { dividedExact, readExact, timesExact } from '../../../lib/format/exact.ts';
import type { Exact } from '../../../lib/format/exact.ts';

/** For which calls a price counts. */
export interface Scope {
  /** Empty: every group. */
  readonly group: string;
  /** 0: every channel. */
  readonly channel: number;
}

export const isScope =
  ({ group, channel }: Scope) =>
  (price: Scope): boolean =>
    price.group === group && price.channel === channel;

/** The price of a scope that counts now, of several the latest; undefined: none. `now`: unix seconds. */
export const currentOwn = ({ own }: Pick<PricedModel, 'own'>, scope: Scope, now: number): OwnPrice | undefined =>
  own.filter((price) => isScope(scope)(price) && price.from <= now).toSorted((one, other) => other.from - one.from)[0];

export const amountOf = (card: PriceCard | undefined, name: 'input' | 'output'): Exact | undefined =>
  readExact(card?.rates?.[name] ?? '');

/** A price as ratios, as the options of the raw form have them; undefined: tokens have no price. */
export const ratiosOf = (card: PriceCard, quotaPerDollar: string): { model: Exact; completion: Exact } | undefined => {
  const [input, output, perDollar] = [amountOf(card, 'input'), amountOf(card, 'output'), readExact(quotaPerDollar)];
  if (input === undefined || output === undefined || perDollar === undefined) return undefined;
  const completion = dividedExact(output, input);
  if (completion === undefined) return undefined;
  return { model: timesExact(input, { times: perDollar.times, over: perDollar.over * 1_000_000n }), completion };
};

/** What a group pays: the price times its ratio; the price itself where it is that group's own. */
export const groupAmount = (amount: Exact, groupRatio: string, scope: Scope): Exact => {
  const ratio = readExact(groupRatio);
  return scope.group !== '' || ratio === undefined ? amount : timesExact(amount, ratio);
};
