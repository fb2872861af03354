import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  exportOwnStatement,
  exportStatement,
  getOwnStatement,
  getStatement,
} from '@weir/contract/bills/account-statements';
import { exportTeamStatement, getTeamStatement } from '@weir/contract/teams/teams';
import { addressOf, call } from '../../lib/api/call.ts';
import type { StatementSearch } from './statement-search.ts';

export const statementQuery = ({ month = '', user, team }: StatementSearch) =>
  queryOptions({
    queryKey: ['statement', user ?? 0, team ?? 0, month],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      if (team !== undefined) return call(getTeamStatement, { params: { id: team }, query: { month }, signal });
      return user === undefined
        ? call(getOwnStatement, { query: { month }, signal })
        : call(getStatement, { query: { month, user_id: user }, signal });
    },
  });

/** Address of the same as a file. */
export const statementHref = ({ month = '', user, team }: StatementSearch): string => {
  if (team !== undefined) return addressOf(exportTeamStatement, { params: { id: team }, query: { month } });
  return user === undefined
    ? addressOf(exportOwnStatement, { query: { month } })
    : addressOf(exportStatement, { query: { month, user_id: user } });
};
