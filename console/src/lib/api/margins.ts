import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { exportMargins, getMargins } from '@weir/contract/margins';
import type { marginDimensions } from '@weir/contract/margins';
import { boundsOfSelected } from '../usage-range.ts';
import type { SelectedRange } from '../usage-range.ts';
import { addressOf, call } from './call.ts';

const freshMs = 60_000;

export type MarginDimension = (typeof marginDimensions)[number];

export interface MarginsOf {
  readonly range: SelectedRange;
  readonly by: MarginDimension;
  /** Empty and 0: every model and channel. */
  readonly model?: string;
  readonly channel?: number;
  /** Lines besides that of all others. */
  readonly limit: number;
}

const queryOf = ({ range, by, model = '', channel = 0 }: Omit<MarginsOf, 'limit'>) => ({
  ...boundsOfSelected(range),
  by,
  ...(model !== '' && { model_name: model }),
  ...(channel > 0 && { channel }),
});

/** What all calls brought in, cost at vendors and left. */
export const marginsQuery = (of: MarginsOf) =>
  queryOptions({
    queryKey: ['margins', of],
    staleTime: freshMs,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getMargins, { query: { ...queryOf(of), limit: of.limit }, signal }),
  });

/** Address of the same as a file. */
export const marginsHref = (of: Omit<MarginsOf, 'limit'>): string => addressOf(exportMargins, { query: queryOf(of) });
