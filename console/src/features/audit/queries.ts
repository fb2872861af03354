import type { QueryClient } from '@tanstack/react-query';
import { auditPageSize, listAudit } from '@weir/contract/audit';
import type { DataOf } from '@weir/contract/endpoint';
import { call } from '../../lib/api/call.ts';

export type AuditEntry = DataOf<typeof listAudit>[number];

const key = ['audit'] as const;
const freshMs = 10_000;

/** Entries, newest first: a page begins after the last entry of the previous page. */
export const auditPages = (client: QueryClient) => {
  const fetchPage = async (page: number, signal: AbortSignal): Promise<AuditEntry[]> => {
    const before = page === 0 ? 0 : await lastOf(page - 1);
    return call(listAudit, { query: { before }, signal });
  };
  const lastOf = async (page: number): Promise<number> => {
    const rows = await client.query({
      queryKey: [...key, page],
      queryFn: ({ signal }) => fetchPage(page, signal),
      staleTime: freshMs,
    });
    return rows.at(-1)?.id ?? 0;
  };
  return { key, fetchPage, wireSize: auditPageSize };
};
