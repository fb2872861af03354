import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call-error.ts';
import { toastFailure } from '../toasts.ts';

const retryMax = 2;
/** Only silence is worth another try: an answer, even a bad one, is an answer. */
const worthRetry = (count: number, error: unknown): boolean =>
  error instanceof CallError && error.kind === 'unreachable' && count < retryMax;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: toastFailure }),
    defaultOptions: { queries: { staleTime: 10_000, retry: worthRetry, refetchOnWindowFocus: false } },
  });
