import { getPricing, type ModelPrice } from '@weir/contract/prices/pricing';
import { makerOf } from '@weir/contract/catalogue/model-catalogue';
import { can } from '@weir/contract/roles';
import { createFactsReader } from '../../billing/price/book/model-facts.ts';
import type { Price } from '../../billing/price/price.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { priceUnit } from '../../billing/price/price-unit.ts';
import { multiply, ratio, ratioToNumber, ratioToText } from '../../billing/price/ratio.ts';
import { isUsagePart, sideOf } from '../../billing/price/usage-parts.ts';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { sharedFacts } from '../model-facts.ts';

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
  readonly prices: readonly Price[];
}

const million = ratio(1_000_000n, 1n);

const toPrice = ({ model, completion, group, parts, modelKnown }: Price): ModelPrice => {
  const input = multiply(multiply(model, group), million);
  const output = multiply(input, completion);
  return {
    input: ratioToNumber(input),
    output: ratioToNumber(output),
    parts: Object.entries(parts).flatMap(([part, weight]) =>
      isUsagePart(part)
        ? [{ part, quota: ratioToNumber(multiply(sideOf(part) === 'prompt' ? input : output, weight)) }]
        : [],
    ),
    ratios: { model: ratioToText(model), completion: ratioToText(completion), group: ratioToText(group) },
    priced: modelKnown,
  };
};

export const pricingRoutes = (routes: Routes, { offered, prices: known }: PricingRoutesDeps): void => {
  const facts = createFactsReader(known);
  route(routes, getPricing, async ({ query, actor }) => {
    const { user } = actor;
    const sees = can(user.role, 'admin');
    const group = query.group || user.group;
    if (group !== user.group && !sees) throw new AppError('no_permission');
    const models = (await offered(group)).map(({ model, channels, sent, sources, prices }) => ({
      model,
      maker: makerOf(model) || facts.maker(model),
      unit: priceUnit(model),
      // Channels are shown to administrators only.
      channels: sees ? channels : 0,
      sent: sees ? [...sent] : [],
      ...sharedFacts(sources.map((source) => facts.of(source.type, source.model))),
      prices: prices.map(toPrice).toSorted((one, other) => one.input - other.input || one.output - other.output),
    }));
    return { data: { group, models } };
  });
};
