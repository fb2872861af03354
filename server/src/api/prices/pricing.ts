import { getPricing, type ModelPrice } from '@weir/contract/prices/pricing';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { makerOf } from '@weir/contract/catalogue/model-catalogue';
import { can } from '@weir/contract/roles';
import { createFactsReader } from '../../billing/price/book/model-facts.ts';
import type { Price } from '../../billing/price/price.ts';
import type { Prices } from '../../billing/price/prices.ts';
import type { ListedPrice } from '../../billing/price/price-table.ts';
import { priceUnit } from '../../billing/price/price-unit.ts';
import { multiply, one, parseRatio, ratio, type Ratio, ratioToNumber, ratioToText } from '../../billing/price/ratio.ts';
import { isUsagePart, sideOf } from '../../billing/price/usage-parts.ts';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { sharedFacts } from '../model-facts.ts';
import { unpricedRule } from './priced-models.ts';

interface PricingRoutesDeps {
  /** The models that a group can call, and the prices that the relay would charge. */
  offered(group: string): Promise<readonly OfferedModel[]>;
  readonly prices: Pick<Prices, 'known'>;
}

interface OfferedModel {
  readonly model: string;
  readonly channels: number;
  readonly sent: readonly string[];
  readonly sources: readonly { readonly type: number; readonly model: string }[];
  readonly prices: readonly ListedPrice[];
}

const million = ratio(1_000_000n, 1n);

/** Amounts of a price. Where the prompt is free, the model ratio is what the completion and parts of the prompt cost. */
const ratesOf = ({ model, completion, group, parts, freePrompt }: Price) => {
  const base = multiply(multiply(model, group), million);
  const output = multiply(base, completion);
  return {
    input: freePrompt ? 0 : ratioToNumber(base),
    output: ratioToNumber(output),
    parts: Object.entries(parts).flatMap(([part, weight]) =>
      isUsagePart(part)
        ? [{ part, quota: ratioToNumber(multiply(sideOf(part) === 'prompt' ? base : output, weight)) }]
        : [],
    ),
  };
};

const unitNames = ['image', 'second', 'character', 'search'] as const;

/** What is priced by the piece, in quota units. */
const unitsOf = ({ units = {} }: PriceCard, { group }: Price, unitsPerDollar: Ratio): ModelPrice['units'] =>
  Object.fromEntries(
    unitNames.flatMap((name) => {
      const amount = parseRatio(units[name] ?? '');
      return amount === null ? [] : [[name, ratioToNumber(multiply(multiply(amount, group), unitsPerDollar))] as const];
    }),
  );

/** What of a card goes beyond its base rates. */
const beyondRates = (card: PriceCard, price: Price, unitsPerDollar: Ratio) => {
  const { tiers = [], units, hours, volume } = card;
  const tierOf = (above: number) => ({ above, ...ratesOf(price.chosenFor({ prompt: above + 1, completion: 0 })) });
  return {
    ...(tiers.length > 0 && { tiers: tiers.map(({ above }) => tierOf(above)).toSorted((a, b) => a.above - b.above) }),
    ...(units !== undefined && { units: unitsOf(card, price, unitsPerDollar) }),
    ...(card.rates === undefined && { by_piece: true }),
    ...(hours !== undefined && { hours }),
    ...(volume !== undefined && { volume }),
  };
};

const toPrice = ({ price, card, factor }: ListedPrice, unitsPerDollar: Ratio): ModelPrice => {
  const { model, completion, group, modelKnown } = price;
  return {
    ...ratesOf(price),
    ...(card !== undefined && beyondRates(card, price, unitsPerDollar)),
    ...(factor !== '1' && { factor }),
    ratios: { model: ratioToText(model), completion: ratioToText(completion), group: ratioToText(group) },
    priced: modelKnown,
  };
};

export const pricingRoutes = (routes: Routes, { offered, prices: known }: PricingRoutesDeps): void => {
  const { options } = routes.deps;
  const facts = createFactsReader(known);
  route(routes, getPricing, async ({ query, actor }) => {
    const { user } = actor;
    const sees = can(user.role, 'admin');
    const group = query.group || user.group;
    if (group !== user.group && !sees) throw new AppError('no_permission');
    const unitsPerDollar = parseRatio(options.text('QuotaPerUnit')) ?? one;
    const models = (await offered(group)).map(({ model, channels, sent, sources, prices }) => ({
      model,
      maker: makerOf(model) || facts.maker(model),
      unit: priceUnit(model),
      // Channels are shown to administrators only.
      channels: sees ? channels : 0,
      sent: sees ? [...sent] : [],
      ...sharedFacts(sources.map((source) => facts.of(source.type, source.model))),
      prices: prices
        .map((price) => toPrice(price, unitsPerDollar))
        .toSorted((a, b) => a.input - b.input || a.output - b.output),
    }));
    return { data: { group, unpriced: unpricedRule(options), models } };
  });
};
