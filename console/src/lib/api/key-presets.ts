import { queryOptions } from '@tanstack/react-query';
import { listKeyPresets } from '@weir/contract/invitations/key-presets';
import { call } from './call.ts';

/** All key presets, by name. */
export const keyPresetsQuery = queryOptions({
  queryKey: ['key-presets', 'all'],
  queryFn: ({ signal }) => call(listKeyPresets, { signal }),
});
