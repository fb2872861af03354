import { makerOf } from '@weir/contract/catalogue/model-catalogue';
import { defaultGroup } from '@weir/contract/groups';
import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import { vendorsOfChannelType } from '../../billing/price/book/channel-vendors.ts';
import { createFactsReader } from '../../billing/price/book/model-facts.ts';
import { ratiosNaming } from '../../billing/price/change-own-prices.ts';
import type { Price } from '../../billing/price/price.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { priceUnit } from '../../billing/price/price-unit.ts';
import {
  divide,
  multiply,
  one,
  parseRatio,
  parseRatioTable,
  ratio,
  type Ratio,
  ratioToText,
} from '../../billing/price/ratio.ts';
import { isUsagePart, sideOf } from '../../billing/price/usage-parts.ts';
import type { Options } from '../../store/options.ts';

/** A model by the name that upstreams are called with, and the channels that do. */
export interface SentModel {
  readonly model: string;
  readonly channels: readonly { readonly id: number; readonly name: string; readonly type: number }[];
}

interface PricedModelsDeps {
  readonly prices: Pick<Prices, 'current' | 'book' | 'known' | 'own'>;
  readonly options: Pick<Options, 'text'>;
  readonly clock: { now(): number };
}

const million = ratio(1_000_000n, 1n);

const ratesOf = ({ model, completion, freePrompt, parts }: Price, unitsPerDollar: Ratio) => {
  const base = divide(multiply(model, million), unitsPerDollar) ?? one;
  const output = multiply(base, completion);
  const weighed = Object.entries(parts).flatMap(([part, weight]) =>
    isUsagePart(part)
      ? [[part, ratioToText(multiply(sideOf(part) === 'prompt' ? base : output, weight))] as const]
      : [],
  );
  return {
    input: freePrompt ? '0' : ratioToText(base),
    output: ratioToText(output),
    ...Object.fromEntries(weighed),
  };
};

const operatorRatios = (options: Pick<Options, 'text'>, model: string): PricedModel['ratios'] => {
  const of = (key: 'ModelRatio' | 'CompletionRatio'): string | undefined => {
    const value = ratiosNaming(options, key, model)[0]?.[1];
    return value && ratioToText(value);
  };
  const [set, completion] = [of('ModelRatio'), of('CompletionRatio')];
  const parts = Object.fromEntries(
    ratiosNaming(options, 'PartRatio', model).map(([name, value]) => [
      name.slice(model.length + 1),
      ratioToText(value),
    ]),
  );
  if (set === undefined && completion === undefined && Object.keys(parts).length === 0) return null;
  return { ...(set !== undefined && { model: set }), ...(completion !== undefined && { completion }), parts };
};

/** Reads how one model is priced. */
const createReader = ({ prices, options, clock }: PricedModelsDeps) => {
  const table = prices.current();
  const book = prices.book();
  const facts = createFactsReader(prices);
  const own = Map.groupBy(prices.own(), ({ model }) => model);
  const atMs = clock.now();
  const day = new Date(atMs).toISOString().slice(0, 10);
  const unitsPerDollar = parseRatio(options.text('QuotaPerUnit')) ?? one;
  const listOf = (model: string, type: number): PricedModel['list'] => {
    const ofVendors = vendorsOfChannelType(type).map((vendor) => book?.ofVendor(vendor, model, day));
    const entry = ofVendors.find((each) => each !== undefined) ?? book?.ofMaker(model, day);
    if (entry?.price === undefined) return null;
    return { vendor: entry.vendor, model: entry.model, from: entry.from, card: entry.price };
  };

  return ({ model, channels }: SentModel): PricedModel => {
    const [{ id: channelId, type } = { id: 0, type: 0 }] = channels;
    const priceOn = (channel: { readonly id: number; readonly type: number }) =>
      table.listed({ model, channelType: channel.type, channelId: channel.id, group: defaultGroup, atMs });
    const { price, card } = priceOn({ id: channelId, type });
    const list = listOf(model, type);
    const { source, vendor, model: listedAs, from } = price.origin;
    return {
      model,
      maker: makerOf(model) || facts.maker(model),
      unit: priceUnit(model),
      channels: channels.map(({ id }) => id),
      current: {
        source,
        ...(vendor !== undefined && { vendor }),
        ...(listedAs !== undefined && { model: listedAs }),
        ...(from !== undefined && { from }),
        rates: ratesOf(price, unitsPerDollar),
        ratios: { model: ratioToText(price.model), completion: ratioToText(price.completion) },
        ...(card !== undefined && { card }),
      },
      several: new Set(channels.map((channel) => priceOn(channel).key)).size > 1,
      list,
      own: (own.get(model) ?? []).map(({ group, channelId: channel, from: start, card: each }) => ({
        group,
        channel,
        from: start,
        card: each,
      })),
      ratios: operatorRatios(options, model),
    };
  };
};

/** What happens to calls of models without a price. */
export const unpricedRule = (options: Pick<Options, 'text'>): PricedModels['unpriced'] => {
  const rule = options.text('UnpricedModels');
  return rule === 'refuse' || rule === 'free' ? rule : 'fallback';
};

/** The models without a price in the default group on one of their channels at least. */
export const unpricedModels = ({ prices }: Pick<PricedModelsDeps, 'prices'>, sent: readonly SentModel[]): string[] => {
  const table = prices.current();
  const isUnpriced = ({ model, channels }: SentModel): boolean =>
    channels.some(
      ({ id, type }) => !table.price({ model, channelType: type, channelId: id, group: defaultGroup }).modelKnown,
    );
  return sent
    .filter(isUnpriced)
    .map(({ model }) => model)
    .toSorted();
};

const byName = (first: SentModel, second: SentModel): number => (first.model < second.model ? -1 : 1);

/** How all models are priced that channels send, that have an own price or a ratio; of one model where it is named. */
export const pricedModels = (deps: PricedModelsDeps, sent: readonly SentModel[], named: string): PricedModels => {
  const { options, prices } = deps;
  const known = new Map(sent.map((each) => [each.model, each]));
  const ofRatios = [...(parseRatioTable(options.text('ModelRatio')) ?? new Map<string, Ratio>()).keys()];
  const others = [...prices.own().map(({ model }) => model), ...ofRatios.map((name) => name.replace(/\(\d+\)$/, ''))];
  for (const model of named === '' ? others : [named]) if (!known.has(model)) known.set(model, { model, channels: [] });
  const wanted = [...known.values()].filter(({ model }) => named === '' || model === named).toSorted(byName);
  const channels = new Map(sent.flatMap((each) => each.channels).map(({ id, name }) => [id, { id, name }]));
  return {
    unpriced: unpricedRule(options),
    quota_per_dollar: ratioToText(parseRatio(options.text('QuotaPerUnit')) ?? one),
    groups: [...(parseRatioTable(options.text('GroupRatio')) ?? [])].map(([name, value]) => ({
      name,
      ratio: ratioToText(value),
    })),
    channels: [...channels.values()].toSorted((first, second) => first.id - second.id),
    models: wanted.map(createReader(deps)),
  };
};
