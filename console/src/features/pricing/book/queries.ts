import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@weir/contract/endpoint';
import {
  approvePriceBook,
  comparePriceBook,
  dismissPriceBook,
  getPriceBook,
  proposePriceBook,
  restorePriceBook,
} from '@weir/contract/prices/book-updates';
import type { BookSource } from '@weir/contract/prices/book-updates';
import { call } from '../../../lib/api/call.ts';

const key = ['price book'] as const;

/** The book in force, the one of this release, and the one that waits. */
export const bookQuery = queryOptions({
  queryKey: [...key, 'state'],
  queryFn: ({ signal }) => call(getPriceBook, { signal }),
});

/** The differences of a proposal, which its id names. */
export const differencesQuery = (proposal: number) =>
  queryOptions({
    queryKey: [...key, 'differences', proposal],
    queryFn: ({ signal }) => call(comparePriceBook, { signal }),
  });

/** Price books, and everything that shows prices. */
const forget = async (client: QueryClient): Promise<void> => {
  const keys = [key, ['pricing'], ['attention', 'unpriced'], ['attention', 'price book'], ['options']];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
};

/** Also after a failure: another administrator may have decided. */
const change = async (client: QueryClient, sent: Promise<unknown>): Promise<void> => {
  try {
    await sent;
  } finally {
    await forget(client);
  }
};

export const propose = async (client: QueryClient, source: BookSource): Promise<void> => {
  await call(proposePriceBook, { body: { source } });
  await forget(client);
};

export const approve = async (client: QueryClient, body: BodyInput<typeof approvePriceBook>): Promise<void> => {
  await change(client, call(approvePriceBook, { body }));
};

export const dismiss = async (client: QueryClient, id: number): Promise<void> => {
  await change(client, call(dismissPriceBook, { query: { id } }));
};

export const restore = async (client: QueryClient, body: BodyInput<typeof restorePriceBook>): Promise<void> => {
  await change(client, call(restorePriceBook, { body }));
};
