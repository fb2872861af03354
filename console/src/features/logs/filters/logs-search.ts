import { logType } from '@weir/contract/logs';
import { listParams } from '../../../lib/lists/list-search.ts';
import { oneOf, oneOfNumbers, searchOf, upTo, whole } from '../../../lib/lists/search-params.ts';
import { presetIds, usualRange } from './log-range.ts';

/** The last second of the year 9999: later times have no four-digit year. */
const secondsMax = 253_402_300_799;
const nameMax = 256;
const id = whole(1, Number.MAX_SAFE_INTEGER);

/** Options of the type filter (specification §4, tests, and refused calls). */
export const filterTypes = [
  logType.topUp,
  logType.consume,
  logType.manage,
  logType.system,
  logType.test,
  logType.refused,
] as const;

export const readType = oneOfNumbers([logType.all, ...filterTypes]);

/** The search parameters of the list. Filters have the names of the wire. */
const listShape = {
  ...listParams,
  token_name: upTo(nameMax),
  model_name: upTo(nameMax),
  username: upTo(nameMax),
  channel: id,
  team: id,
  token_id: id,
  /** 0: all, tests too; absent: administrators see all but tests. */
  type: readType,
  range: oneOf(presetIds.filter((preset) => preset !== usualRange)),
  start_timestamp: whole(1, secondsMax),
  end_timestamp: whole(1, secondsMax),
  /** Values excluded from the loaded records. */
  not: upTo(1000),
  /** 1: the total is shown. */
  total: whole(1, 1),
} as const;

/** The record in the drawer, and its second, which is used to find it if it is not among the loaded records. */
const openShape = {
  id: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  at: whole(1, secondsMax),
} as const;

export const listSearch = searchOf(listShape);
export const openSearch = searchOf(openShape);
/** The search parameters of the log. */
export const logsSearch = searchOf({ ...listShape, ...openShape });
export type LogsSearch = ReturnType<typeof logsSearch>;
