import type { BookEntry, PriceBook } from '@weir/contract/prices/price-book';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { vendorsOfChannelType } from './channel-vendors.ts';
import { nameCandidates, regionOf } from './model-names.ts';

/** What the relay has no path for. */
const notRelayed: ReadonlySet<BookEntry['mode']> = new Set(['video', 'other']);

/**
 * The name to offer: a Claude on Bedrock has its plain name, which the provider completes with the profile of the key's
 * region, so that an id with a region is offered by that name alone. Undefined: nothing to offer.
 */
const offeredName = ({ vendor, model }: BookEntry): string | undefined => {
  // Fine-tuned models have names of their own.
  if (model.startsWith('ft:') || model.endsWith('@default')) return undefined;
  if (vendor !== 'bedrock') return model;
  const claude = nameCandidates(model).find((name) => name.startsWith('claude-'));
  return claude ?? (regionOf(model) === '' ? model : undefined);
};

/**
 * Names of the models that the vendor of each channel type has on a day as `2026-11-24`, with a price and not ended, by the
 * type; each once, in the order of the book.
 */
export const currentModels = (book: PriceBook, day: string): ReadonlyMap<number, readonly string[]> => {
  const byVendor = new Map<string, Set<string>>();
  for (const entry of book.entries) {
    const { vendor, mode, price, from, ends = '9999' } = entry;
    const name = offeredName(entry);
    if (name === undefined || price === undefined || notRelayed.has(mode) || from > day || ends <= day) continue;
    byVendor.set(vendor, (byVendor.get(vendor) ?? new Set()).add(name));
  }
  return new Map(vendorList.map(({ id }) => [id, [...(byVendor.get(vendorsOfChannelType(id)[0] ?? '') ?? [])]]));
};
