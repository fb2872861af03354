import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { compareBills, deleteBill, fetchReport, importBill, listBills, readReport } from '@weir/contract/bills/bills';
import type { Statement } from '@weir/contract/bills/bills';
import type { BodyInput } from '@weir/contract/endpoint';
import { call } from '../../lib/api/call.ts';

const key = ['bills'] as const;

export const billsQuery = queryOptions({
  queryKey: [...key, 'statements'],
  queryFn: ({ signal }) => call(listBills, { signal }),
});

export interface ComparedDays {
  readonly vendor: number;
  /** Empty: the server's choice. */
  readonly from: string;
  readonly to: string;
}

export const comparisonQuery = ({ vendor, from, to }: ComparedDays) =>
  queryOptions({
    queryKey: [...key, 'compared', vendor, from, to],
    queryFn: ({ signal }) => call(compareBills, { query: { vendor, from, to, channels: '' }, signal }),
  });

export const read = (content: string): Promise<Statement> => call(readReport, { body: { content } });
export const fetchBill = (body: BodyInput<typeof fetchReport>): Promise<Statement> => call(fetchReport, { body });

export const store = async (client: QueryClient, body: BodyInput<typeof importBill>): Promise<void> => {
  await call(importBill, { body });
  await client.invalidateQueries({ queryKey: key });
};

export const remove = async (client: QueryClient, id: number): Promise<void> => {
  await call(deleteBill, { params: { id } });
  await client.invalidateQueries({ queryKey: key });
};
