import type { LogRow } from './list/log-row.ts';

const verySlowMs = 10_000;
export const isVerySlow = ({ elapsed_time: ms }: Pick<LogRow, 'elapsed_time'>): boolean => ms > verySlowMs;

/** Newest first, each record once. Both inputs are sorted this way; live records may be older than reloaded rows. */
export const mergeRows = (live: readonly LogRow[], loaded: readonly LogRow[]): readonly LogRow[] => {
  if (live.length === 0) return loaded;
  const byId = new Map([...live, ...loaded].map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => b.created_at - a.created_at);
};

const suggestionsMax = 50;

/** The distinct values of a member among the rows, in order of appearance: the suggestions of a filter. */
export const valuesOf = (
  rows: readonly LogRow[],
  member: 'token_name' | 'model_name' | 'username' | 'channel',
): readonly string[] =>
  [...new Set(rows.map((row) => String(row[member] || '')))].filter(Boolean).slice(0, suggestionsMax);
