import type { PageSource } from '../lists/paged-list.ts';

/** Number of rows beyond which a confirmation is required. */
const confirmAbove = 10_000;

/** Callbacks of the caller. */
export interface ReadAllCallbacks {
  readonly signal: AbortSignal;
  readonly onCount: (count: number) => void;
  /** Called once when the limit is reached. */
  readonly allow: () => Promise<boolean>;
}

interface ReadAll<Row> extends ReadAllCallbacks {
  readonly source: PageSource<Row>;
}

/** All rows of a list, each once, page by page; undefined: the confirmation was refused. */
export const readAll = async <Row extends { readonly id: number }>({
  source: { fetchPage, whole, wireSize },
  signal,
  onCount,
  allow,
}: ReadAll<Row>): Promise<readonly Row[] | undefined> => {
  const rows = new Map<number, Row>();
  let allowed = false;
  for (let page = 0; ; page += 1) {
    const found = await fetchPage(page, signal);
    signal.throwIfAborted();
    for (const row of found) rows.set(row.id, row);
    onCount(rows.size);
    if (whole || found.length < wireSize) return [...rows.values()];
    if (rows.size >= confirmAbove && !allowed) {
      allowed = await allow();
      if (!allowed) return undefined;
    }
  }
};
