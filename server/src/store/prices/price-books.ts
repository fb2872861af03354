import { checkedPriceBookSchema, type PriceBook } from '@weir/contract/prices/price-book';
import { sql } from 'kysely';
import * as v from 'valibot';
import type { Database, DatabaseTransaction } from '../database.ts';

/** A price book as it was approved; the latest is in force. */
export interface StoredBook {
  readonly id: number;
  readonly book: PriceBook;
}

/** An edition or a proposal without its content. */
export interface BookRow {
  readonly id: number;
  readonly name: string;
  readonly source: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** 0: the first start. */
  readonly actor_id: number;
}

export const parseBook = (content: string): PriceBook => v.parse(checkedPriceBookSchema, JSON.parse(content));

/** The book in force, `known` if it still is; null: none was ever approved. Throws where the content is no price book. */
export const findPriceBook = async (
  { read }: Pick<Database, 'read'>,
  known: StoredBook | null,
): Promise<StoredBook | null> => {
  const latest = read.selectFrom('price_books').orderBy('id', 'desc').limit(1);
  const row = await latest.select('id').executeTakeFirst();
  if (row === undefined || row.id === known?.id) return row === undefined ? null : known;
  const { id, content } = await latest.select(['id', 'content']).executeTakeFirstOrThrow();
  return { id, book: parseBook(content) };
};

/** The editions that are kept, the latest first. */
export const listPriceBooks = ({ read }: Pick<Database, 'read'>): Promise<BookRow[]> =>
  read
    .selectFrom('price_books')
    .select(['id', 'name', 'source', 'created_at', 'actor_id'])
    .orderBy('id', 'desc')
    .execute();

/** An edition with its content; undefined: there is none, or no longer. */
export const findPriceBookById = async (
  { read }: Pick<Database, 'read'>,
  id: number,
): Promise<PriceBook | undefined> => {
  const row = await read.selectFrom('price_books').select('content').where('id', '=', id).executeTakeFirst();
  return row && parseBook(row.content);
};

/** The id of the book in force, 0: none. No other transaction puts another one in its place until the transaction ends. */
export const lockLatestPriceBook = async (trx: DatabaseTransaction, kind: Database['kind']): Promise<number> => {
  // SQLite has one writer anyway.
  if (kind === 'postgres') await sql`lock table price_books in exclusive mode`.execute(trx);
  const row = await trx.selectFrom('price_books').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
};

/** Puts a book in force from now on. */
export const insertPriceBook = async (
  trx: DatabaseTransaction,
  { book, source, actorId, at }: { book: PriceBook; source: string; actorId: number; at: number },
): Promise<void> => {
  const values = { name: book.name, source, content: JSON.stringify(book), actor_id: actorId, created_at: at };
  await trx.insertInto('price_books').values(values).execute();
};

/** Deletes all but the latest editions. */
export const deleteOldPriceBooks = async (trx: DatabaseTransaction, keep: number): Promise<void> => {
  const latest = trx.selectFrom('price_books').select('id').orderBy('id', 'desc').limit(keep);
  await trx.deleteFrom('price_books').where('id', 'not in', latest).execute();
};
