import { readFileSync } from 'node:fs';
import { checkedPriceBookSchema, type PriceBook } from '@weir/contract/prices/price-book';
import * as v from 'valibot';

/** The price book that the program is shipped with. Reads the file each time. */
export const readShippedBook = (): PriceBook =>
  v.parse(checkedPriceBookSchema, JSON.parse(readFileSync(new URL('price-book.json', import.meta.url), 'utf8')));

let name: string | undefined;

/** What it names itself, as `2026-11`. Reads the file once. */
export const shippedBookName = (): string => (name ??= readShippedBook().name);
