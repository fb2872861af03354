import { checkedPriceBookSchema, type PriceBook } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import type { Database, DatabaseTransaction } from '../database.ts';

/** A price book as it was approved; the latest is in force. */
export interface StoredBook {
  readonly id: number;
  readonly book: PriceBook;
}

/** The book in force, `known` if it still is; null: none was ever approved. Throws where the content is no price book. */
export const findPriceBook = async (
  { read }: Pick<Database, 'read'>,
  known: StoredBook | null,
): Promise<StoredBook | null> => {
  const latest = read.selectFrom('price_books').orderBy('id', 'desc').limit(1);
  const row = await latest.select('id').executeTakeFirst();
  if (row === undefined || row.id === known?.id) return row === undefined ? null : known;
  const { id, content } = await latest.select(['id', 'content']).executeTakeFirstOrThrow();
  return { id, book: v.parse(checkedPriceBookSchema, JSON.parse(content)) };
};

/** Puts a book in force from now on. */
export const insertPriceBook = async (
  trx: DatabaseTransaction,
  { book, source, actorId, at }: { book: PriceBook; source: string; actorId: number; at: number },
): Promise<void> => {
  const values = { name: book.name, source, content: JSON.stringify(book), actor_id: actorId, created_at: at };
  await trx.insertInto('price_books').values(values).execute();
};
