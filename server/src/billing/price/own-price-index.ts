import type { PriceCard } from '@weir/contract/prices/price-book';

/** A price in dollars that the operator set. */
export interface OwnPriceEntry {
  readonly model: string;
  /** Empty: every group. */
  readonly group: string;
  /** 0: every channel. */
  readonly channelId: number;
  /** Unix seconds; 0: always. */
  readonly from: number;
  readonly card: PriceCard;
}

/** Finds the operator's price of a model. */
export interface OwnPriceIndex {
  /** The most special one at an instant (unix seconds): of group and channel, of the group, of the channel, of all. */
  find(question: { model: string; group: string; channelId: number }, at: number): OwnPriceEntry | undefined;
  /** Whether a channel has prices of its own. */
  hasChannel(channelId: number): boolean;
  /** Whether any price depends on the volume of a month. */
  readonly hasVolumes: boolean;
  /** The next instant after `at` from which another price counts, unix seconds; Infinity: none. */
  nextChange(at: number): number;
}

/** 3: of the group and the channel; 0: of all. */
const rank = ({ group, channelId }: OwnPriceEntry): number => (group === '' ? 0 : 2) + (channelId === 0 ? 0 : 1);

/** Indexes own prices by their model. */
export const createOwnPriceIndex = (prices: readonly OwnPriceEntry[]): OwnPriceIndex => {
  const byModel = Map.groupBy(prices, ({ model }) => model);
  const channels = new Set(prices.map(({ channelId }) => channelId).filter((id) => id !== 0));
  return {
    find: ({ model, group, channelId }, at) =>
      byModel
        .get(model)
        ?.filter(
          (price) =>
            price.from <= at &&
            (price.group === '' || price.group === group) &&
            (price.channelId === 0 || price.channelId === channelId),
        )
        .toSorted((one, other) => rank(other) - rank(one) || other.from - one.from)[0],
    hasChannel: (channelId) => channels.has(channelId),
    hasVolumes: prices.some(({ card }) => card.volume !== undefined),
    nextChange: (at) => Math.min(...prices.map(({ from }) => from).filter((from) => from > at)),
  };
};
