import { bookEntriesMax, keptEditions } from '@weir/contract/prices/book-updates';
import type { PriceBook } from '@weir/contract/prices/price-book';
import { AppError } from '../../../errors.ts';
import type { Database, DatabaseTransaction } from '../../../store/database.ts';
import { type Options, priceRevision } from '../../../store/options.ts';
import { deleteOldPriceBooks, insertPriceBook, lockLatestPriceBook } from '../../../store/prices/price-books.ts';
import type { Prices } from '../prices.ts';

interface ApproveDeps {
  readonly db: Pick<Database, 'kind'>;
  readonly options: Options;
  readonly prices: Pick<Prices, 'ratiosAfterApproval' | 'reload'>;
  readonly clock: { now(): number };
}

interface Approval {
  readonly book: PriceBook;
  readonly source: string;
  readonly actorId: number;
  /** The edition that it was made from; another one in force is a conflict. */
  readonly against: number;
  /** Written in the same transaction, before and after the book; the last thing is the note in the audit log. */
  readonly before: (trx: DatabaseTransaction) => Promise<void>;
  readonly alongside: (trx: DatabaseTransaction) => Promise<void>;
}

/**
 * Puts a book in force, all of it in one transaction. It counts on this node once this resolves, and soon on the others;
 * calls that run keep their prices. Of two approvals at once the second one finds another edition in force and changes
 * nothing.
 */
export const putInForce = async (
  { db, options, prices, clock }: ApproveDeps,
  { book, source, actorId, against, before, alongside }: Approval,
): Promise<void> => {
  const nowMs = clock.now();
  if (book.entries.length > bookEntriesMax)
    throw new AppError('invalid_input', {
      faults: [{ member: 'entries', code: 'too_large', limit: bookEntriesMax }],
    });
  await options.change(['ModelRatio', 'CompletionRatio'], {
    texts: async (trx, stored) => {
      if ((await lockLatestPriceBook(trx, db.kind)) !== against) throw new AppError('price_book_changed');
      await before(trx);
      await insertPriceBook(trx, { book, source, actorId, at: Math.floor(nowMs / 1000) });
      await deleteOldPriceBooks(trx, keptEditions);
      const texts = {
        ModelRatio: stored.get('ModelRatio') ?? '',
        CompletionRatio: stored.get('CompletionRatio') ?? '',
      };
      const kept = book.entries.length === 0 ? texts : prices.ratiosAfterApproval(texts);
      const changed = (['ModelRatio', 'CompletionRatio'] as const).flatMap((key) =>
        kept[key] === texts[key] ? [] : [[key, kept[key]] as const],
      );
      return new Map([...changed, [priceRevision, String(nowMs)] as const]);
    },
    alongside,
  });
  await prices.reload();
};
