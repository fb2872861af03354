import {
  approvePriceBook,
  type BookEdition,
  type BookSource,
  comparePriceBook,
  dismissPriceBook,
  getPriceBook,
  proposePriceBook,
  restorePriceBook,
} from '@weir/contract/prices/book-updates';
import type { PriceBook } from '@weir/contract/prices/price-book';
import { putInForce } from '../../billing/price/book/approve-book.ts';
import { approvedBook, type BookChoice, keyOf } from '../../billing/price/book/compare-books.ts';
import { readShippedBook, shippedBookName } from '../../billing/price/book/shipped-book.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { AppError, type Fault } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import { downloadPriceBook } from '../../integrations/price-book-download.ts';
import type { Database, DatabaseTransaction } from '../../store/database.ts';
import * as proposals from '../../store/prices/book-proposals.ts';
import { type BookRow, findPriceBook, findPriceBookById, listPriceBooks } from '../../store/prices/price-books.ts';
import { findUsernames } from '../../store/users/users.ts';
import { compareWithTraffic, dayOf, type SentAtCost } from './book-comparison.ts';
import { checkPriceBook } from './check-book.ts';

interface BookUpdateDeps {
  readonly prices: Prices;
  readonly outbound: Outbound;
  readonly clock: { now(): number };
  /** The models that enabled channels send to their upstreams. */
  sent(): Promise<readonly SentAtCost[]>;
}

const withNames = async (db: Database, rows: readonly BookRow[]): Promise<BookEdition[]> => {
  const names = await findUsernames(db, [...new Set(rows.map(({ actor_id }) => actor_id))]);
  return rows.map(({ id, name, source, created_at, actor_id }) => ({
    id,
    name,
    source,
    created_at,
    by: names.get(String(actor_id)) ?? '',
  }));
};

/** Later ones count too: an older release must not offer what was replaced. */
const isDecided = (editions: readonly BookRow[], dismissed: readonly string[], shipped: string): boolean =>
  dismissed.some((name) => name >= shipped) ||
  editions.some(({ name, source }) => name === shipped || (source === 'shipped' && name > shipped));

const refuse = (fault: Fault): never => {
  throw new AppError('invalid_input', { faults: [fault] });
};

/** Models that a choice names must exist: a misspelt one would be approved in vain. */
const checkChoice = (old: PriceBook | null, next: PriceBook, { chosen, from }: BookChoice, today: string): void => {
  if (from !== null && from < today) refuse({ member: 'from', code: 'too_small', limit: today });
  if (chosen === 'all') return;
  const known = new Set([old, next].flatMap((book) => (book?.entries ?? []).map(keyOf)));
  const vendors = new Set(next.entries.map(({ vendor }) => vendor));
  const unknown = chosen.findIndex(({ vendor, model }) =>
    model === undefined ? !vendors.has(vendor) : !known.has(keyOf({ vendor, model })),
  );
  if (unknown >= 0) refuse({ member: `chosen.${unknown}`, code: 'not_a_choice' });
};

const detailOf = ({ chosen, from }: BookChoice, source: string): string => {
  const what = chosen === 'all' ? 'all' : `${chosen.length} chosen`;
  return `${what} of ${source}${from === null ? '' : `, from ${from}`}`;
};

const proposalRoutes = (routes: Routes, { outbound, clock }: BookUpdateDeps): void => {
  const { audit, db, options } = routes.deps;
  const at = () => Math.floor(clock.now() / 1000);

  const readBook = async (source: BookSource): Promise<{ book: PriceBook; source: string }> => {
    if (source.kind === 'shipped') return { book: readShippedBook(), source: 'shipped' };
    if (source.kind === 'file') return { book: await checkPriceBook(source.content), source: `file ${source.name}` };
    const url = source.url.trim() || options.text('PriceBookUrl');
    if (url === '') throw new AppError('price_book_no_url');
    return { book: await checkPriceBook(await downloadPriceBook(outbound, url)), source: url };
  };

  route(routes, proposePriceBook, async ({ body, actor, request }) => {
    const { book, source } = await readBook(body.source);
    const { user } = actor;
    const row = { name: book.name, source, created_at: at(), actor_id: user.id };
    const id = await db.write.transaction().execute(async (trx) => {
      const made = await proposals.putProposal(trx, { book, source, actorId: user.id, at: row.created_at });
      const detail = `${book.entries.length} entries of ${source}`;
      await audit.note(trx, { request, actor: user, action: 'propose_price_book', subject: book.name, detail });
      return made;
    });
    return { data: { id, name: row.name, source, created_at: row.created_at, by: user.username } };
  });

  route(routes, dismissPriceBook, async ({ query, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      const found = await proposals.takeProposal(trx, query.id);
      if (found === undefined) throw new AppError('price_book_changed');
      const { name, source } = found;
      if (source === 'shipped') await proposals.noteDismissed(trx, { name, actorId: actor.user.id, at: at() });
      const detail = source;
      await audit.note(trx, { request, actor: actor.user, action: 'dismiss_price_book', subject: name, detail });
    });
    return {};
  });
};

const readRoutes = (routes: Routes, { prices, clock, sent }: BookUpdateDeps): void => {
  const { db, options } = routes.deps;

  route(routes, getPriceBook, async () => {
    const [rows, waiting, dismissed] = await Promise.all([
      listPriceBooks(db),
      proposals.findProposal(db.read),
      proposals.listDismissed(db),
    ]);
    const editions = await withNames(db, rows);
    const [proposal = null] = await withNames(db, waiting === undefined ? [] : [waiting]);
    const name = shippedBookName();
    const shipped = { name, is_new: !isDecided(rows, dismissed, name) };
    return { data: { current: editions[0] ?? null, shipped, proposal, editions, url: options.text('PriceBookUrl') } };
  });

  route(routes, comparePriceBook, async () => {
    const waiting = await proposals.readProposal(db);
    if (waiting === undefined) throw new AppError('not_found');
    const stored = await findPriceBook(db, null);
    const compared = await compareWithTraffic({ db, options, prices, clock, sent }, stored?.book ?? null, waiting.book);
    const [proposal] = await withNames(db, [waiting]);
    if (proposal === undefined) throw new AppError('not_found');
    return { data: { ...compared, proposal, against: stored?.id ?? 0 } };
  });
};

const changeRoutes = (routes: Routes, { prices, clock }: BookUpdateDeps): void => {
  const { audit, db, options } = routes.deps;
  const deps = { db, options, prices, clock };

  const latest = async (): Promise<BookEdition> => {
    const [edition] = await withNames(db, (await listPriceBooks(db)).slice(0, 1));
    if (edition === undefined) throw new AppError('not_found');
    return edition;
  };

  route(routes, approvePriceBook, async ({ body, actor, request }) => {
    const waiting = await proposals.readProposal(db);
    if (waiting?.id !== body.proposal) throw new AppError('price_book_changed');
    const { id, name: subject, source, book: next } = waiting;
    const stored = await findPriceBook(db, null);
    if ((stored?.id ?? 0) !== body.against) throw new AppError('price_book_changed');
    const old = stored?.book ?? null;
    checkChoice(old, next, body, dayOf(clock.now()));
    await putInForce(deps, {
      book: approvedBook(old, next, body),
      source,
      actorId: actor.user.id,
      against: body.against,
      before: async (trx) => {
        const isThere = body.keep
          ? (await proposals.findProposal(trx))?.id === id
          : (await proposals.takeProposal(trx, id)) !== undefined;
        if (!isThere) throw new AppError('price_book_changed');
      },
      alongside: (trx) =>
        audit.note(trx, {
          request,
          actor: actor.user,
          action: 'approve_price_book',
          subject,
          detail: detailOf(body, source),
        }),
    });
    return { data: await latest() };
  });

  route(routes, restorePriceBook, async ({ body, actor, request }) => {
    // Of no edition: the prices that come with the program count again, as before the first approval.
    const book = body.id === 0 ? { name: '-', entries: [] } : await findPriceBookById(db, body.id);
    if (book === undefined) throw new AppError('not_found');
    const source = `edition ${body.id}`;
    const note = { request, actor: actor.user, action: 'restore_price_book', subject: book.name, detail: source };
    await putInForce(deps, {
      book,
      source,
      actorId: actor.user.id,
      against: body.against,
      before: async () => undefined,
      alongside: (trx: DatabaseTransaction) => audit.note(trx, note),
    });
    return { data: await latest() };
  });
};

/** Proposing price books, comparing them with the one in force, and putting them in force. */
export const bookUpdateRoutes = (routes: Routes, deps: BookUpdateDeps): void => {
  proposalRoutes(routes, deps);
  readRoutes(routes, deps);
  changeRoutes(routes, deps);
};
