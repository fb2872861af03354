import type { PriceBook } from '@weir/contract/prices/price-book';
import type { PriceLists } from '../price-question.ts';
import { type BookIndex, createBookIndex } from './book-index.ts';
import { vendorsOfChannelType } from './channel-vendors.ts';

/** List prices of a book by channel type and maker. The index is made at the first question, which takes some 30 ms. */
export const createPriceLists = (book: PriceBook): PriceLists & { readonly index: () => BookIndex } => {
  let made: BookIndex | undefined;
  const index = () => (made ??= createBookIndex(book));
  return {
    index,
    hasVolumes: book.entries.some(({ price }) => price?.volume !== undefined),
    ofMaker: (model, day) => index().ofMaker(model, day),
    ofChannelType: (type, model, day) => {
      for (const vendor of vendorsOfChannelType(type)) {
        const entry = index().ofVendor(vendor, model, day);
        if (entry !== undefined) return entry;
      }
      return undefined;
    },
  };
};
