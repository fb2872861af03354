import { pageSize } from '@weir/contract/wire';
import type { SelectQueryBuilder } from 'kysely';
import type { Database, ReadQueries } from './database.ts';
import type { Schema } from './schema.ts';

/** The rows after which the pages of a list begin. */
export interface PageAnchors<Key> {
  /** The row after which page `page` begins; undefined: begin at the top, or the page before was not read. */
  find(list: string, page: number): Key | undefined;
  /** Notes how page `page` ended, so that the next one continues after it. Page 0 starts the list anew. */
  note(list: string, page: number, last: Key): void;
}

/**
 * The anchors of one kind of list, apart for each database: two of them in one process know nothing of each other, and
 * the anchors go with their database.
 */
export const anchorsByDatabase = <Key>(): ((db: Database) => PageAnchors<Key>) => {
  const known = new WeakMap<Database, PageAnchors<Key>>();
  return (db) => {
    const anchors = known.get(db) ?? createPageAnchors<Key>();
    known.set(db, anchors);
    return anchors;
  };
};

/**
 * Remembers how far each caller has read each list. The wire counts pages, but a page reached by counting rows costs
 * more the deeper it is, and shows rows twice when new ones arrive meanwhile; a page that continues after the last
 * row shown does neither. Holds at most `listsMax` lists; the one unused for longest is forgotten first.
 */
export const createPageAnchors = <Key>(listsMax = 1000): PageAnchors<Key> => {
  const lists = new Map<string, Key[]>();
  return {
    find: (list, page) => {
      const anchors = lists.get(list);
      if (anchors === undefined || page === 0) return undefined;
      lists.delete(list);
      lists.set(list, anchors);
      return anchors[page - 1];
    },
    note: (list, page, last) => {
      const anchors = page === 0 ? [] : (lists.get(list)?.slice(0, page) ?? []);
      if (anchors.length < page) return;
      anchors[page] = last;
      lists.delete(list);
      lists.set(list, anchors);
      const oldest = lists.size > listsMax ? lists.keys().next().value : undefined;
      if (oldest !== undefined) lists.delete(oldest);
    },
  };
};

interface PageQuery<Row, Key> {
  readonly anchors: PageAnchors<Key>;
  /** Names the caller, the filters and the order: pages of two lists must not continue each other. */
  readonly list: string;
  readonly page: number;
  /** The next `limit` rows after `after`, or the first ones. */
  readonly read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => Key;
  /** The row with a number, counted from the first, found without passing over the rows before it. */
  readonly seek?: (index: number) => Promise<Key | undefined>;
}

/** Entries up to which a list is counted: counting more would take longer than reading a page of them. */
const countedMax = 100_000;

/** The number of entries with these ids; undefined: more than `max`. */
export const countEntries = async <Table extends keyof Schema>(
  read: ReadQueries,
  ids: SelectQueryBuilder<Schema, Table, { id: number }>,
  max = countedMax,
): Promise<number | undefined> => {
  const { count } = await read
    .selectFrom(ids.limit(max + 1).as('counted'))
    .select((on) => on.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count > max ? undefined : count;
};

/** Rows read at a time on the way to a page whose page before was not read. */
const strideRows = pageSize * 100;

/** One page of a list by its number. */
export const readPage = async <Row, Key>({
  anchors,
  list,
  page,
  read,
  keyOf,
  seek,
}: PageQuery<Row, Key>): Promise<readonly Row[]> => {
  let after = anchors.find(list, page);
  let reached = after === undefined ? 0 : page;
  if (seek !== undefined && (page - reached) * pageSize > strideRows) {
    after = await seek(page * pageSize - 1);
    if (after === undefined) return [];
    reached = page;
  }
  while (reached < page) {
    const rows = await read(after, Math.min(strideRows, (page - reached) * pageSize));
    const last = rows.at(-1);
    if (last === undefined || rows.length % pageSize !== 0) return [];
    after = keyOf(last);
    reached += rows.length / pageSize;
  }
  const rows = await read(after, pageSize);
  const last = rows.at(-1);
  if (last !== undefined && rows.length === pageSize) anchors.note(list, page, keyOf(last));
  return rows;
};
