import { stringifySearch } from '../../../lib/lists/search-params.ts';
import type { Bounds } from './log-range.ts';
import type { LogsSearch } from './logs-search.ts';

const ownNames = ['token_name', 'model_name', 'type'] as const;
const adminNames = ['username', 'channel'] as const;
/** Whose records: a team instead of the own account, and of it one token alone. */
const accountNames = ['team', 'token_id'] as const;
const rangeNames = ['range', 'start_timestamp', 'end_timestamp'] as const;

export type FilterName = (typeof ownNames)[number] | (typeof adminNames)[number];

/** The parameters that select the records of a list. */
export type LogFilters = Pick<LogsSearch, FilterName | (typeof accountNames | typeof rangeNames)[number]>;

const pick = (search: LogsSearch, names: readonly (keyof LogFilters)[]): LogFilters =>
  names.reduce<LogFilters>(
    (picked, name) => (search[name] === undefined ? picked : { ...picked, [name]: search[name] }),
    {},
  );

/**
 * The filters of an address that this role may use; username and channel are the administrator's (specification §2), who
 * find a team by its name.
 */
export const filtersOf = (search: LogsSearch, admin: boolean): LogFilters =>
  pick(search, [...ownNames, ...(admin ? adminNames : accountNames), ...rangeNames]);

/** The filters besides the range, as texts, in the order of the toolbar. */
export const activeFilters = (filters: LogFilters): readonly (readonly [name: FilterName, value: string])[] =>
  [...ownNames, ...adminNames].flatMap((name) =>
    filters[name] === undefined ? [] : [[name, String(filters[name])] as const],
  );

/** The change of the address that removes every filter besides the range. */
export const noFilters = {
  token_name: undefined,
  model_name: undefined,
  type: undefined,
  username: undefined,
  channel: undefined,
  p: undefined,
} as const;

/** The query of the own log's endpoints: an empty or zero member is a filter not set (specification §7). */
export const ownQuery = ({ type, token_name, model_name, team, token_id }: LogFilters, { start, end }: Bounds) => ({
  type: type ?? 0,
  token_name: token_name ?? '',
  model_name: model_name ?? '',
  start_timestamp: start,
  end_timestamp: end,
  ...(team !== undefined && { team, token_id: token_id ?? 0 }),
});

/** The query of the administrator's endpoints. Tests are left out unless a type or a channel is chosen. */
export const allQuery = (filters: LogFilters, bounds: Bounds) => ({
  ...ownQuery(filters, bounds),
  username: filters.username ?? '',
  channel: filters.channel ?? 0,
  without_tests: filters.type === undefined && filters.channel === undefined ? 1 : 0,
});

/** Address of the log with one filter in the current range, of the same account. */
export const hrefWith = (search: LogsSearch, filter: LogFilters): string =>
  `/log${stringifySearch({ ...pick(search, [...accountNames, ...rangeNames]), ...filter })}`;

const neighbourSeconds = 300;

/** Address of a channel's records within five minutes of a time. */
export const channelAround = (channel: number, at: number): string =>
  `/log${stringifySearch({ channel, start_timestamp: at - neighbourSeconds, end_timestamp: at + neighbourSeconds })}`;
