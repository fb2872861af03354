import type { OwnPriceInput, PricedModel } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { exactToDecimal, readExact, timesExact } from '../../../lib/format/exact.ts';
import type { Exact } from '../../../lib/format/exact.ts';
import { currentOwn, effectiveCard } from '../editor/compare.ts';

/** The most digits behind the point that the server takes. */
const places = 15;

const timesAmounts = <Amounts extends Readonly<Record<string, unknown>>>(amounts: Amounts, factor: Exact): Amounts => {
  const changed = Object.entries(amounts).map(([name, value]) => {
    const amount = typeof value === 'string' ? readExact(value) : undefined;
    return [name, amount ? exactToDecimal(timesExact(amount, factor), places) : value];
  });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the same members with other amounts
  return Object.fromEntries(changed) as Amounts;
};

/** A card with all of its amounts multiplied; hours and volume are multiples already. */
export const timesCard = (card: PriceCard, factor: Exact): PriceCard => {
  const { rates, units, tiers, classes } = card;
  return {
    ...card,
    ...(rates && { rates: timesAmounts(rates, factor) }),
    ...(units && { units: timesAmounts(units, factor) }),
    ...(tiers && { tiers: tiers.map((tier) => timesAmounts(tier, factor)) }),
    ...(classes && {
      classes: Object.fromEntries(
        Object.entries(classes).map(([name, changed]) => [name, changed && timesAmounts(changed, factor)]),
      ),
    }),
  };
};

export type MassChange =
  /** Of what counts now for all groups and channels. */
  | { readonly kind: 'percent'; readonly factor: Exact }
  /** Of the list price. */
  | { readonly kind: 'factor'; readonly factor: Exact }
  | { readonly kind: 'set'; readonly card: PriceCard }
  | { readonly kind: 'free' };

const everywhere = { group: '', channel: 0 };

const changedCard = (model: PricedModel, change: MassChange, now: number): PriceCard | undefined => {
  switch (change.kind) {
    case 'free':
      return { rates: { input: '0', output: '0' } };
    case 'set':
      return change.card;
    case 'factor':
      return model.list === null ? undefined : timesCard(model.list.card, change.factor);
    case 'percent': {
      const card = model.ratios?.model === undefined ? currentOwn(model, everywhere, now)?.card : undefined;
      const counting = card ?? effectiveCard(model);
      return counting && timesCard(counting, change.factor);
    }
  }
};

/**
 * The own prices of a change of several models, and the models that it cannot be made for, as they have no such price.
 * `now`: unix seconds.
 */
export const massPrices = (
  models: readonly PricedModel[],
  change: MassChange,
  now: number,
): { readonly prices: OwnPriceInput[]; readonly without: readonly string[] } => {
  const made = models.map((model) => ({ model: model.model, card: changedCard(model, change, now) }));
  return {
    prices: made.flatMap(({ model, card }) => (card === undefined ? [] : [{ model, card }])),
    without: made.flatMap(({ model, card }) => (card === undefined ? [model] : [])),
  };
};

/** `20`, `-10`, `+5,5 %`: a change in percent as a multiple; undefined: no such number, or below nothing. */
export const readPercent = (typed: string): Exact | undefined => {
  const [, sign = '', digits] =
    /^([+\-−]?)(\d{1,6}(?:\.\d{1,6})?)$/.exec(typed.trim().replace(/\s*%$/, '').replace(',', '.')) ?? [];
  const size = digits === undefined ? undefined : readExact(digits);
  if (size === undefined) return undefined;
  const whole = 100n * size.over;
  const times = sign === '-' || sign === '−' ? whole - size.times : whole + size.times;
  return times < 0n ? undefined : { times, over: whole };
};
