import { vendors } from '@weir/contract/catalogue/vendors';
import type { BookEntry } from '@weir/contract/prices/price-book';
import type { Prices } from '../prices.ts';
import { vendorsOfChannelType } from './channel-vendors.ts';

/** What is known of a model on channels of a type; what is absent is not known. */
export type ModelFacts = Pick<BookEntry, 'context' | 'output' | 'can' | 'ends'>;

export interface FactsReader {
  /** Of a channel type, by the name that its upstream is called with; undefined: of the maker. */
  of(type: number | undefined, model: string): ModelFacts;
  /** The name of the model's maker; empty: not known. */
  maker(model: string): string;
  /** Tokens of the longest completion; null: not known. */
  outputMax(type: number, model: string): number | null;
}

const names = new Map<string, string>(Object.entries(vendors).map(([vendor, { name }]) => [vendor, name]));

const first = <Member extends 'context' | 'output' | 'can'>(entries: readonly BookEntry[], member: Member) => {
  const value = entries.find((entry) => entry[member] !== undefined)?.[member];
  return value === undefined ? {} : { [member]: value };
};

/** Reads limits, abilities and ends from the price book in force: at the channel's vendor, and else at the maker. */
export const createFactsReader = (prices: Pick<Prices, 'known'>): FactsReader => {
  const of = (type: number | undefined, model: string): ModelFacts => {
    const { index } = prices.known();
    const lists = type === undefined ? [] : vendorsOfChannelType(type);
    const listed = lists.flatMap((vendor) => index.facts(vendor, model) ?? []);
    const made = index.facts(undefined, model);
    const all = made === undefined ? listed : [...listed, made];
    // Each vendor ends a model on a day of its own.
    const [{ ends } = {}] = lists.length === 0 ? all : listed;
    return {
      ...first(all, 'context'),
      ...first(all, 'output'),
      ...first(all, 'can'),
      ...(ends !== undefined && { ends }),
    };
  };
  const maker = (model: string): string => {
    const vendor = prices.known().index.facts(undefined, model)?.vendor ?? '';
    return names.get(vendor) ?? vendor;
  };
  return { of, maker, outputMax: (type, model) => of(type, model).output ?? null };
};
