import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  exportOwnStatement,
  exportStatement,
  getOwnStatement,
  getStatement,
} from '@weir/contract/bills/account-statements';
import { addressOf, call } from '../../lib/api/call.ts';
import type { StatementSearch } from './statement-search.ts';

export const statementQuery = ({ month = '', user }: StatementSearch) =>
  queryOptions({
    queryKey: ['statement', user ?? 0, month],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      user === undefined
        ? call(getOwnStatement, { query: { month }, signal })
        : call(getStatement, { query: { month, user_id: user }, signal }),
  });

/** Address of the same as a file. */
export const statementHref = ({ month = '', user }: StatementSearch): string =>
  user === undefined
    ? addressOf(exportOwnStatement, { query: { month } })
    : addressOf(exportStatement, { query: { month, user_id: user } });
