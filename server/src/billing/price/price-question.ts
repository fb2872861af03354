import type { BookEntry } from '@weir/contract/prices/price-book';
import type { OwnPriceIndex } from './own-price-index.ts';
import type { Ratio } from './ratio.ts';
import type { RatioTexts } from './ratio-tables.ts';

/** The input of a price: the model after redirection, the channel and the group of the account. */
export interface PriceQuestion {
  readonly model: string;
  readonly channelType: number;
  /** Absent: a channel without prices of its own. */
  readonly channelId?: number;
  readonly group: string;
  /** When the call arrived, unix milliseconds; absent: when the table was made. */
  readonly atMs?: number;
  /** Tokens of the model that the account used before in the month; absent: none. */
  readonly tokensBefore?: number;
  /** Another model that writes the transcripts of a session, at its own prices where a table names it; absent: none. */
  readonly transcriber?: string;
}

/** What a call is counted in: tokens have the rates of a card, all others its price by the unit. */
export type CostUnit = 'token' | 'image' | 'second' | 'character' | 'search';

/** The input of a cost: what the channel's vendor charges. */
export interface CostQuestion extends Pick<PriceQuestion, 'model' | 'channelType' | 'atMs' | 'transcriber'> {
  readonly unit: CostUnit;
  /** What the operator pays of the list price. */
  readonly factor: Ratio;
}

/** List prices, by vendor. */
export interface PriceLists {
  /** Whether any price depends on the volume of a month. */
  readonly hasVolumes: boolean;
  /** The entry in force on a day (`2026-11-24`) that has a price. */
  ofChannelType(channelType: number, model: string, day: string): BookEntry | undefined;
  ofMaker(model: string, day: string): BookEntry | undefined;
}

/** What happens to a model that no table names. */
export type UnpricedRule = 'refuse' | 'fallback' | 'free';

/** Everything that prices are made of. */
export interface PriceTableParts {
  readonly version: number;
  /** As the operator set them; empty where the option was never set. */
  readonly operator: RatioTexts;
  /** Those that come with the program. */
  readonly builtIn: RatioTexts;
  /** Null: no price book was approved. */
  readonly lists: PriceLists | null;
  readonly own: OwnPriceIndex;
  /** Quota units. */
  readonly unitsPerDollar: Ratio;
  readonly unpriced: UnpricedRule;
  /** Unix milliseconds. */
  readonly madeAtMs: number;
}
