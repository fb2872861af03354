import type { OwnPrice, PricedModel } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { dividedExact, exactToDecimal, readExact, timesExact } from '../../../lib/format/exact.ts';
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

const ratePlaces = 12;

const ratesCard = (rates: Readonly<Record<string, string>>): PriceCard => {
  const decimals = Object.fromEntries(
    Object.entries(rates).map(([name, text]) => {
      const exact = readExact(text);
      return [name, exact ? exactToDecimal(exact, ratePlaces) : text];
    }),
  );
  return { rates: { ...decimals, input: decimals['input'] ?? '0', output: decimals['output'] ?? '0' } };
};

/** What counts for all groups and channels where no own price does; undefined: no price is known. */
export const effectiveCard = ({ current, list }: PricedModel): PriceCard | undefined => {
  switch (current.source) {
    case 'fallback':
    case 'free':
      return undefined;
    case 'ratio':
    case 'built_in':
      return ratesCard(current.rates);
    // An own price of one channel or group alone.
    case 'own':
      return list?.card;
    case 'vendor':
    case 'maker':
      return current.card ?? list?.card;
  }
};
