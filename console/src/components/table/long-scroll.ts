/** Row height of a long list. */
export const rowPx = 32;

/** Browsers stop at about 17 million pixels; below this a scroll bar is exact. */
const spacerMaxPx = 8_000_000;

/** Rows rendered beyond the edges, so that a fast wheel shows no gap; at most 60 rows are in the page. */
const rowsMax = 60;
const beyond = 4;

/** The rows to render at an offset in the list. */
export const windowOf = (offsetPx: number, viewPx: number, total: number): { first: number; count: number } => {
  const visible = Math.ceil(viewPx / rowPx) + 1;
  const margin = Math.max(0, Math.min(beyond, Math.floor((rowsMax - visible) / 2)));
  const first = Math.max(0, Math.floor(offsetPx / rowPx) - margin);
  return { first, count: Math.max(0, Math.min(visible + 2 * margin, rowsMax, total - first)) };
};

interface Size {
  readonly total: number;
  readonly viewPx: number;
}

/**
 * The offset in pixels of the whole list, which may be far longer than the range of a scroll bar. Small steps move the
 * list by the same distance; a jump of the bar goes to the same share of the list.
 */
export const createScroll = () => {
  let size: Size = { total: 0, viewPx: 0 };
  /** Offset of the scroll bar. */
  let top = 0;
  let offset = 0;
  const spacerPx = (total: number): number => Math.min(total * rowPx, spacerMaxPx);
  const range = (): { readonly bar: number; readonly list: number } => ({
    bar: Math.max(0, spacerPx(size.total) - size.viewPx),
    list: Math.max(0, size.total * rowPx - size.viewPx),
  });
  const clamp = (value: number): number => Math.max(0, Math.min(value, range().list));
  return {
    spacerPx,
    offset: () => offset,
    resize: (next: Size): void => {
      size = next;
      offset = clamp(offset);
    },
    /** Call when the bar moved. */
    moveTo: (nextTop: number): void => {
      const { bar, list } = range();
      const step = nextTop - top;
      top = nextTop;
      if (bar === list || bar === 0) offset = clamp(nextTop);
      else if (nextTop <= 0) offset = 0;
      else if (nextTop >= bar - 1) offset = list;
      else if (Math.abs(step) < 2 * size.viewPx) offset = clamp(offset + step);
      else offset = clamp((nextTop / bar) * list);
    },
    /** Goes to an offset of the list; returns the position of the bar. */
    goTo: (px: number): number => {
      const { bar, list } = range();
      offset = clamp(px);
      top = list === 0 ? 0 : Math.round((offset / list) * bar);
      return top;
    },
    /** Position of a row from the top of the spacer: rows keep their position while the bar takes small steps. */
    topOf: (row: number): number => Math.round(top - offset) + row * rowPx,
  };
};
