import type { PriceBook } from '@weir/contract/prices/price-book';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { type BookRow, parseBook } from './price-books.ts';

const columns = ['id', 'name', 'source', 'created_at', 'actor_id'] as const;

/** The price book that waits for approval, without its content; undefined: none. */
export const findProposal = (read: ReadQueries): Promise<BookRow | undefined> =>
  read
    .selectFrom('book_proposals')
    .select(columns)
    .where('dismissed', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The same with its content. */
export const readProposal = async ({
  read,
}: Pick<Database, 'read'>): Promise<(BookRow & { readonly book: PriceBook }) | undefined> => {
  const found = await read
    .selectFrom('book_proposals')
    .select([...columns, 'content'])
    .where('dismissed', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { content, ...row } = found;
  return { ...row, book: parseBook(content) };
};

/** The names of the books of releases that were dismissed. */
export const listDismissed = async ({ read }: Pick<Database, 'read'>): Promise<string[]> => {
  const rows = await read.selectFrom('book_proposals').select('name').where('dismissed', '=', 1).execute();
  return rows.map(({ name }) => name);
};

/** Has a book wait, in place of the one that waits; returns its id. */
export const putProposal = async (
  trx: DatabaseTransaction,
  { book, source, actorId, at }: { book: PriceBook; source: string; actorId: number; at: number },
): Promise<number> => {
  await trx.deleteFrom('book_proposals').where('dismissed', '=', 0).execute();
  const { id } = await trx
    .insertInto('book_proposals')
    .values({
      name: book.name,
      source,
      content: JSON.stringify(book),
      actor_id: actorId,
      created_at: at,
      dismissed: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** The name of a book that no longer waits; undefined: it did not. */
export const takeProposal = async (trx: DatabaseTransaction, id: number): Promise<BookRow | undefined> =>
  trx
    .deleteFrom('book_proposals')
    .where('id', '=', id)
    .where('dismissed', '=', 0)
    .returning(columns)
    .executeTakeFirst();

/** Notes that the book of a release was dismissed: it is not offered again. */
export const noteDismissed = async (
  trx: DatabaseTransaction,
  { name, actorId, at }: { readonly name: string; readonly actorId: number; readonly at: number },
): Promise<void> => {
  const row = { name, source: 'shipped', content: '', actor_id: actorId, created_at: at, dismissed: 1 };
  await trx.insertInto('book_proposals').values(row).execute();
};
