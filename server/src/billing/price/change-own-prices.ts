import type { OptionKey } from '@weir/contract/options';
import type { PriceCard } from '@weir/contract/prices/price-book';
import type { DatabaseTransaction } from '../../store/database.ts';
import { lockPrices, type Options, priceRevision } from '../../store/options.ts';
import {
  deleteOwnPrices,
  type OwnPriceChange,
  type OwnPriceScope,
  putOwnPrice,
  type RemovedPrice,
} from '../../store/prices/own-prices.ts';
import type { Prices } from './prices.ts';
import { parseRatioTable, ratioToText } from './ratio.ts';
import { withoutRatios } from './shown-ratios.ts';
import { isUsagePart } from './usage-parts.ts';

interface OwnPricesDeps {
  readonly options: Options;
  readonly prices: Pick<Prices, 'reload'>;
  readonly clock: { now(): number };
}

/** A price that was set, and what it replaced. */
export interface PriceChange {
  readonly price: WantedPrice;
  /** Undefined: its scope had no own price. */
  readonly before: PriceCard | undefined;
  /** `ModelRatio gpt-4o 2.5`: the entries of the ratio options that it removed. */
  readonly removedRatios: readonly string[];
}

/** What is written with a change of prices, as the last thing in its transaction. */
type Alongside<Changes> = (trx: DatabaseTransaction, changes: readonly Changes[]) => Promise<void>;

/** A change of a price as it is asked for; `from` 0: from now on. */
export type WantedPrice = Omit<OwnPriceChange, 'actorId' | 'at'>;

export interface OwnPriceResult {
  /** `ModelRatio gpt-4o`: entries that would have counted before a price. */
  readonly removedRatios: readonly string[];
  /** Models for which a ratio of the exact name still counts before their prices. */
  readonly overruled: readonly string[];
}

/** The ratio options that have entries by the name of a model. */
export const ratioKeys = ['ModelRatio', 'CompletionRatio', 'PartRatio'] as const satisfies readonly OptionKey[];

/** Which model an entry of a ratio option names exactly: `NAME`, `NAME(TYPE)`, or `NAME:PART`; undefined: none. */
const modelNamed = (key: OptionKey, name: string): string | undefined => {
  if (key !== 'PartRatio') return name.replace(/\(\d+\)$/, '');
  const [, model, part = ''] = /^(.+):([a-z0-9_]+)$/.exec(name) ?? [];
  return isUsagePart(part) ? model : undefined;
};

/** The entries of the ratio options that are for the exact name of a model. */
export const ratiosNaming = (options: Pick<Options, 'text'>, key: (typeof ratioKeys)[number], model: string) =>
  [...(parseRatioTable(options.text(key)) ?? [])].filter(([name]) => modelNamed(key, name) === model);

interface RemovedRatio {
  readonly model: string;
  readonly name: string;
  readonly value: string;
}

const removeRatios = (models: ReadonlySet<string>, texts: ReadonlyMap<OptionKey, string>) => {
  const changed = new Map<OptionKey, string>();
  const removedRatios: RemovedRatio[] = [];
  for (const [key, stored] of texts) {
    const { text, removed } = withoutRatios(stored, (name) => models.has(modelNamed(key, name) ?? ''));
    if (removed.length === 0) continue;
    changed.set(key, text);
    const values = parseRatioTable(stored);
    for (const name of removed) {
      const value = values?.get(name);
      const model = modelNamed(key, name) ?? '';
      removedRatios.push({ model, name: `${key} ${name}`, value: value === undefined ? '' : ratioToText(value) });
    }
  }
  return { changed, removedRatios: removedRatios.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
};

/**
 * Sets prices as one change: all or none. A price for all groups and channels removes the ratios of the exact name, which
 * would count before it. They count on this node once this resolves, and soon on the others.
 */
export const setOwnPrices = async (
  { options, prices, clock }: OwnPricesDeps,
  wanted: readonly WantedPrice[],
  { actorId, alongside }: { readonly actorId: number; readonly alongside: Alongside<PriceChange> },
): Promise<OwnPriceResult> => {
  let removedRatios: readonly RemovedRatio[] = [];
  let changes: PriceChange[] = [];
  await options.change(ratioKeys, {
    texts: async (trx, texts) => {
      await lockPrices(trx);
      // Not before: a price that waits for the lock would count from an earlier second than the one it waits for.
      const nowMs = clock.now();
      const at = Math.floor(nowMs / 1000);
      // A ratio that is removed today would leave a price of tomorrow without one until then.
      const forAll = new Set(
        wanted
          .filter(({ group, channelId, from }) => group === '' && channelId === 0 && from <= at)
          .map(({ model }) => model),
      );
      const { changed, removedRatios: removed } = removeRatios(forAll, texts);
      removedRatios = removed;
      changes = [];
      for (const price of wanted) {
        const before = await putOwnPrice(trx, { ...price, from: price.from || at, actorId, at });
        const ofModel = changes.some((change) => change.price.model === price.model)
          ? []
          : removed.filter(({ model }) => model === price.model);
        changes.push({ price, before, removedRatios: ofModel.map(({ name, value }) => `${name} ${value}`) });
      }
      return new Map([...changed, [priceRevision, String(nowMs)]]);
    },
    alongside: (trx) => alongside(trx, changes),
  });
  await prices.reload();
  const overruled = [...new Set(wanted.map(({ model }) => model))].filter(
    (model) => ratiosNaming(options, 'ModelRatio', model).length > 0,
  );
  return { removedRatios: removedRatios.map(({ name }) => name), overruled };
};

/** Removes own prices; resolves to their number. */
export const removeOwnPrices = async (
  { options, prices, clock }: OwnPricesDeps,
  scope: OwnPriceScope & { readonly from?: number },
  alongside: Alongside<RemovedPrice>,
): Promise<number> => {
  let removed: readonly RemovedPrice[] = [];
  await options.change([], {
    texts: async (trx) => {
      await lockPrices(trx);
      removed = await deleteOwnPrices(trx, scope);
      return new Map([[priceRevision, String(clock.now())]]);
    },
    alongside: async (trx) => {
      if (removed.length > 0) await alongside(trx, removed);
    },
  });
  if (removed.length > 0) await prices.reload();
  return removed.length;
};
