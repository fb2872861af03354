import type { OwnPriceInput, PricedModel } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { exactToDecimal, readExact, timesExact } from '../../../lib/format/exact.ts';
import type { Exact } from '../../../lib/format/exact.ts';

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

export type MassChange = { readonly kind: 'factor'; readonly factor: Exact } | { readonly kind: 'free' };

/** The own prices of a change of several models, and the models that it cannot be made for: no list has them. */
export const massPrices = (
  models: readonly PricedModel[],
  change: MassChange,
): { readonly prices: OwnPriceInput[]; readonly without: readonly string[] } => {
  const made = models.map(({ model, list }) => {
    if (change.kind === 'free') return { model, card: { rates: { input: '0', output: '0' } } };
    return { model, card: list === null ? undefined : timesCard(list.card, change.factor) };
  });
  return {
    prices: made.flatMap(({ model, card }) => (card === undefined ? [] : [{ model, card }])),
    without: made.flatMap(({ model, card }) => (card === undefined ? [model] : [])),
  };
};
