import { queryOptions } from '@tanstack/react-query';
import { getAbout, getHomePageContent, getNotice } from '@weir/contract/status';
import { call } from '../../lib/api/call.ts';

export const homeContentQuery = queryOptions({
  queryKey: ['home-content'],
  queryFn: ({ signal }) => call(getHomePageContent, { signal }),
});

export const noticeQuery = queryOptions({ queryKey: ['notice'], queryFn: ({ signal }) => call(getNotice, { signal }) });

export const aboutQuery = queryOptions({ queryKey: ['about'], queryFn: ({ signal }) => call(getAbout, { signal }) });
