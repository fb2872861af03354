import type { BookEdition } from '@weir/contract/prices/book-updates';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** Where a book came from, for people. */
export const sourceText = ({ source }: Pick<BookEdition, 'source'>, t: Translate): string => {
  if (source === 'shipped') return t(m.book_source_shipped);
  if (source === 'edition 0') return t(m.book_source_none);
  const edition = /^edition (\d+)$/.exec(source)?.[1];
  if (edition !== undefined) return t(m.book_source_edition, { id: edition });
  return source.replace(/^file /, '');
};
