import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { explainCharge } from '@weir/contract/prices/charges';
import {
  countLogs,
  countOwnLogs,
  exportLogs,
  explainRefusal,
  exportOwnLogs,
  listLogs,
  listOwnLogs,
  logType,
  statLogs,
  statOwnLogs,
} from '@weir/contract/logs';
import type { LogCount } from '@weir/contract/logs';
import { pageSize } from '@weir/contract/wire';
import { addressOf, call, takeEarlyMoment } from '../../lib/api/call.ts';
import { statusWithCapabilities } from '../../lib/api/capabilities.ts';
import { allQuery, ownQuery } from './filters/log-filters.ts';
import type { LogFilters } from './filters/log-filters.ts';
import { boundsOf } from './filters/log-range.ts';
import type { Bounds } from './filters/log-range.ts';
import { toRows } from './list/log-row.ts';
import type { LogRow } from './list/log-row.ts';

/** The source of a screen's records. */
export interface LogSource {
  readonly key: readonly unknown[];
  readonly fetchPage: (page: number, signal: AbortSignal) => Promise<LogRow[]>;
  readonly bounds: () => Bounds;
  /** The bounds with an end at the first page's newest record: the records of a list that no longer grows. */
  readonly settled: () => Bounds;
  /** Sets the range's time to now, before the pages are reloaded. */
  readonly restart: () => void;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

interface ReadPage {
  readonly admin: boolean;
  readonly filters: LogFilters;
  readonly bounds: Bounds;
  readonly page: number;
  readonly signal: AbortSignal;
}

const readPage = async ({ admin, filters, bounds, page, signal }: ReadPage): Promise<LogRow[]> =>
  toRows(
    await (admin
      ? call(listLogs, { query: { p: page, ...allQuery(filters, bounds) }, signal })
      : call(listOwnLogs, { query: { p: page, ...ownQuery(filters, bounds) }, signal })),
  );

/**
 * The records that match the filters. The time that a range counts back from is fixed until `restart`: all pages of a
 * list must be cut from the same rows, and the server keeps its cursor per exact range.
 */
export const logSource = (client: QueryClient, admin: boolean, filters: LogFilters): LogSource => {
  const key = ['logs', admin ? 'all' : 'own', filters] as const;
  const nowKey = [...key, 'now'];
  const startAt = (moment: number): number => client.setQueryData<number>(nowKey, moment) ?? moment;
  const bounds = (): Bounds =>
    boundsOf(filters, client.getQueryData<number>(nowKey) ?? startAt(takeEarlyMoment() ?? nowSeconds()));
  /** Records newer than the first page would push rows onto pages where they were shown already. */
  const settled = (): Bounds => {
    const { start, end } = bounds();
    const [newest] = client.getQueryData<LogRow[]>([...key, 0]) ?? [];
    return { start, end: end || (newest?.created_at ?? 0) };
  };
  return {
    key,
    bounds,
    settled,
    restart: () => void startAt(nowSeconds()),
    fetchPage: (page, signal) => readPage({ admin, filters, bounds: page === 0 ? bounds() : settled(), page, signal }),
  };
};

/** A page of the records. */
export const pageQuery = ({ key, fetchPage }: LogSource, page: number) =>
  queryOptions({ queryKey: [...key, page], queryFn: ({ signal }) => fetchPage(page, signal) });

/** Consumption within the filters; `token` is missing on other servers of the contract. */
export interface LogTotal {
  readonly quota: number;
  readonly tokens: number | undefined;
}

export const totalQuery = (source: LogSource, admin: boolean, filters: LogFilters) =>
  queryOptions({
    queryKey: [...source.key, 'total'],
    queryFn: async ({ signal }): Promise<LogTotal> => {
      const bounds = source.bounds();
      const { quota, token }: { quota: number; token?: number } = await (admin
        ? call(statLogs, { query: allQuery(filters, bounds), signal })
        : call(statOwnLogs, { query: ownQuery(filters, bounds), signal }));
      return { quota, tokens: token };
    },
  });

/** Number of records in time buckets; null: this server has no counts. */
export const countQuery = (source: LogSource, admin: boolean, filters: LogFilters) =>
  queryOptions({
    queryKey: [...source.key, 'count'],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<LogCount | null> => {
      if (!(await statusWithCapabilities())) return null;
      const bounds = source.settled();
      try {
        return await (admin
          ? call(countLogs, { query: allQuery(filters, bounds), signal })
          : call(countOwnLogs, { query: ownQuery(filters, bounds), signal }));
      } catch {
        signal.throwIfAborted();
        return null;
      }
    },
  });

/** Number of records within the filters that are newer than a time, of those that the list contains. */
export const countAfter = async (
  source: LogSource,
  admin: boolean,
  filters: LogFilters,
  at: number,
): Promise<number> => {
  const { start, end } = source.settled();
  if (at >= end) return 0;
  const bounds = { start: Math.max(start, at + 1), end };
  const { total } = await (admin
    ? call(countLogs, { query: allQuery(filters, bounds) })
    : call(countOwnLogs, { query: ownQuery(filters, bounds) }));
  return total;
};

/** Address of the records as a file. */
export const exportHref = (source: LogSource, admin: boolean, filters: LogFilters, format: 'csv' | 'jsonl'): string =>
  admin
    ? addressOf(exportLogs, { query: { ...allQuery(filters, source.bounds()), format } })
    : addressOf(exportOwnLogs, { query: { ...ownQuery(filters, source.bounds()), format } });

const samePagesMax = 20;

interface RecordPlace {
  readonly id: number;
  /** Its second. */
  readonly at: number;
  /** Of the list. */
  readonly filters: LogFilters;
}

/** The record with an id, searched in its second: no call reads a single record. Refused calls have ids of their own. */
export const recordQuery = (admin: boolean, { id, at, filters: { type, team, token_id } }: RecordPlace) => {
  const filters = {
    type: type === logType.refused ? type : logType.all,
    ...(team !== undefined && { team }),
    ...(token_id !== undefined && { token_id }),
  };
  return queryOptions({
    queryKey: ['log', admin, id, at, filters],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<LogRow | null> => {
      for (let page = 0; page < samePagesMax; page += 1) {
        const rows = await readPage({
          admin,
          filters,
          bounds: { start: at, end: at },
          page,
          signal,
        });
        const found = rows.find((row) => row.id === id);
        if (found) return found;
        if (rows.length < pageSize) return null;
      }
      return null;
    },
  });
};

/** The calculation of a record's charge. */
export const chargeQuery = (id: number) =>
  queryOptions({
    queryKey: ['charge', id],
    staleTime: Infinity,
    queryFn: ({ signal }) => call(explainCharge, { params: { id }, signal }),
  });

/** Why a call was refused. */
export const refusalQuery = (id: number) =>
  queryOptions({
    queryKey: ['refusal', id],
    queryFn: ({ signal }) => call(explainRefusal, { params: { id }, signal }),
  });
