import type { LogRow } from './list/log-row.ts';

const verySlowMs = 10_000;
export const isVerySlow = ({ elapsed_time: ms }: Pick<LogRow, 'elapsed_time'>): boolean => ms > verySlowMs;

/** Newest first, each record once. Both lists come so; live ones may be older than rows that were read again. */
export const mergeRows = (live: readonly LogRow[], loaded: readonly LogRow[]): readonly LogRow[] => {
  if (live.length === 0) return loaded;
  const byId = new Map([...live, ...loaded].map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => b.created_at - a.created_at);
};

const suggestionsMax = 50;

/** The different values of a member among the rows, in order of appearance: what a filter suggests. */
export const valuesOf = (
  rows: readonly LogRow[],
  member: 'token_name' | 'model_name' | 'username' | 'channel',
): readonly string[] =>
  [...new Set(rows.map((row) => String(row[member] || '')))].filter(Boolean).slice(0, suggestionsMax);
