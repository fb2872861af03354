import { queryOptions } from '@tanstack/react-query';
import { getSelf } from '@weir/contract/users';
import { call } from './call.ts';

/** The own account, freshly loaded. */
export const selfQuery = queryOptions({ queryKey: ['self'], queryFn: ({ signal }) => call(getSelf, { signal }) });
