import { queryOptions } from '@tanstack/react-query';
import { listAvailableModels } from '@weir/contract/models';
import { searchTokens, tokenStatus } from '@weir/contract/tokens';
import { call } from '../../lib/api/call.ts';

/** The tokens that are usable now. */
export const keysQuery = queryOptions({
  queryKey: ['playground', 'keys'],
  queryFn: async ({ signal }) => {
    const tokens = await call(searchTokens, { query: { keyword: '' }, signal });
    return tokens.filter(({ status }) => status === tokenStatus.enabled);
  },
});

/** The models that the own account can call. */
export const modelsQuery = queryOptions({
  queryKey: ['available-models'],
  queryFn: ({ signal }) => call(listAvailableModels, { signal }),
});
