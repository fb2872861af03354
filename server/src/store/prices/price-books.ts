import { checkedPriceBookSchema, type PriceBook } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import type { Database, DatabaseTransaction } from '../database.ts';

/** A price book as it was approved; the latest is in force. */
export interface StoredBook {
  readonly id: number;
  readonly book: PriceBook;
}

/** An edition without its content. */
export interface BookEdition {
  readonly id: number;
  readonly name: string;
  /** `shipped`, the name of a file, or an address. */
  readonly source: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** 0: the first start. */
  readonly actor_id: number;
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

/** The editions that were approved, the latest first. */
export const listPriceBooks = ({ read }: Pick<Database, 'read'>, limit: number): Promise<BookEdition[]> =>
  read
    .selectFrom('price_books')
    .select(['id', 'name', 'source', 'created_at', 'actor_id'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Puts a book in force from now on. */
export const insertPriceBook = async (
  trx: DatabaseTransaction,
  { book, source, actorId, at }: { book: PriceBook; source: string; actorId: number; at: number },
): Promise<void> => {
  const values = { name: book.name, source, content: JSON.stringify(book), actor_id: actorId, created_at: at };
  await trx.insertInto('price_books').values(values).execute();
};
