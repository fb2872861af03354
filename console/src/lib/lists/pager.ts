export type PagerItem = number | 'gap';

/** The pages a pager offers: both ends and the neighbours of the current one (sibling and boundary range 1). */
export const pagerItems = (current: number, count: number): PagerItem[] => {
  const shown = [1, current - 1, current, current + 1, count].filter((page) => page >= 1 && page <= count);
  const pages = [...new Set(shown)].sort((a, b) => a - b);
  return pages.flatMap((page, index): PagerItem[] => {
    const before = pages[index - 1];
    if (before === undefined || page - before === 1) return [page];
    // A gap of one page is that page.
    return page - before === 2 ? [page - 1, page] : ['gap', page];
  });
};

/** Rows that a list loads at once at most: its pages are loaded one after the other. */
export const rowsMax = 1000;

interface ListLength {
  /** Rows that are loaded and pass the view. */
  readonly loaded: number;
  /** There are no more. */
  readonly complete: boolean;
  /** Length of the list as the server told it; undefined: unknown. */
  readonly total: number | undefined;
  /** Rows per page. */
  readonly size: number;
}

/** What a pager offers: the number of rows if it is known, the last page to go to, and whether more follow it. */
export const pagerEnd = ({ loaded, complete, total, size }: ListLength) => {
  const told = total === undefined ? undefined : Math.max(total, loaded);
  const count = complete ? loaded : told;
  const last = Math.max(1, Math.ceil((count !== undefined && count <= rowsMax ? count : loaded) / size));
  return { count, last, more: !complete && (count === undefined || last * size < count) };
};

/** Rows of a long list that are on screen. */
export interface Seen {
  readonly top: number;
  readonly count: number;
}

interface PageAt extends Seen {
  readonly total: number;
  readonly size: number;
  /** The page that was requested last. */
  readonly requested: number;
}

/**
 * The page of a position in a long list: that of its top row. The last pages may never reach the top: at the end of
 * the list it is the requested page, if that begins on screen, else the last one.
 */
export const pageAt = ({ top, count, total, size, requested }: PageAt): number => {
  const byTop = Math.floor(top / size) + 1;
  if (top + count < total) return byTop;
  const begin = (requested - 1) * size;
  if (begin >= top && begin < total) return requested;
  return top === 0 ? 1 : Math.max(byTop, Math.ceil(total / size));
};

/** Wire pages (of `wireSize` rows) needed to show the rows up to the end of a shown page. */
export const wirePagesFor = (page: number, size: number, wireSize: number): number =>
  Math.ceil((page * size) / wireSize);
