export type PagerItem = number | 'gap';

/** The pages a pager offers: both ends and the neighbours of the current one (sibling and boundary range 1). */
export const pagerItems = (current: number, count: number): PagerItem[] => {
  const shown = [1, current - 1, current, current + 1, count].filter((page) => page >= 1 && page <= count);
  const pages = [...new Set(shown)].sort((a, b) => a - b);
  return pages.flatMap((page, place): PagerItem[] => {
    const before = pages[place - 1];
    if (before === undefined || page - before === 1) return [page];
    // A gap of one page is that page.
    return page - before === 2 ? [page - 1, page] : ['gap', page];
  });
};

/** Wire pages (of `wireSize` rows) needed to show the rows up to the end of a shown page. */
export const wirePagesFor = (page: number, size: number, wireSize: number): number =>
  Math.ceil((page * size) / wireSize);
