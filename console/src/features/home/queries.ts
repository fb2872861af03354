import { queryOptions } from '@tanstack/react-query';
import { listAvailableModels } from '@weir/contract/models';
import { getAbout, getHomePageContent, getNotice } from '@weir/contract/status';
import { call } from '../../lib/api/call.ts';

export const homeContentQuery = queryOptions({
  queryKey: ['home-content'],
  queryFn: ({ signal }) => call(getHomePageContent, { signal }),
});

export const noticeQuery = queryOptions({ queryKey: ['notice'], queryFn: ({ signal }) => call(getNotice, { signal }) });

export const aboutQuery = queryOptions({ queryKey: ['about'], queryFn: ({ signal }) => call(getAbout, { signal }) });

/** The models that the own account can call. */
export const modelsQuery = queryOptions({
  queryKey: ['available-models'],
  queryFn: ({ signal }) => call(listAvailableModels, { signal }),
});
