import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call-error.ts';
import { toastFailure } from '../toasts.ts';

const retryMax = 2;
/** Only unreachable servers are retried: any answer, even an error, is final. */
const worthRetry = (count: number, error: unknown): boolean =>
  error instanceof CallError && error.kind === 'unreachable' && count < retryMax;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: toastFailure }),
    defaultOptions: { queries: { staleTime: 10_000, retry: worthRetry, refetchOnWindowFocus: false } },
  });
