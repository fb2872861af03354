import { pageSize } from '@weir/contract/wire';
import type { LogRow } from './log-row.ts';

const pollMs = 2000;
const pollMaxMs = 60_000;

/** Every two seconds, twice as long after every failure. */
export const pauseMs = (failures: number): number => Math.min(pollMs * 2 ** failures, pollMaxMs);

const pagesMax = 5;

/** The records newer than the known ones; undefined if they are too many to close the gap. */
export const readNew = async (
  fetchPage: (page: number) => Promise<readonly LogRow[]>,
  known: ReadonlySet<number>,
): Promise<LogRow[] | undefined> => {
  const found = new Map<number, LogRow>();
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await fetchPage(page);
    for (const row of rows) if (!known.has(row.id)) found.set(row.id, row);
    if (rows.length < pageSize || rows.some((row) => known.has(row.id))) return [...found.values()];
  }
  return undefined;
};
