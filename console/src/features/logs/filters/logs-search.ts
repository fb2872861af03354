import { logType } from '@weir/contract/logs';
import { listParams } from '../../../lib/lists/list-search.ts';
import { oneOf, oneOfNumbers, searchOf, upTo, whole } from '../../../lib/lists/search-params.ts';
import { presetIds, usualRange } from './log-range.ts';

/** The last second of the year 9999: times beyond have no four-digit year. */
const secondsMax = 253_402_300_799;
const nameMax = 256;

/** What the type filter offers (specification §4); 0 is no filter and stays out of the address. */
export const filterTypes = [logType.topUp, logType.consume, logType.manage, logType.system] as const;

/** What the address says of the list. Filters carry the names of the wire. */
const listShape = {
  ...listParams,
  token_name: upTo(nameMax),
  model_name: upTo(nameMax),
  username: upTo(nameMax),
  channel: whole(1, Number.MAX_SAFE_INTEGER),
  type: oneOfNumbers(filterTypes),
  range: oneOf(presetIds.filter((preset) => preset !== usualRange)),
  start_timestamp: whole(1, secondsMax),
  end_timestamp: whole(1, secondsMax),
  /** Values left out of what is loaded. */
  not: upTo(1000),
  /** 1: the total is on screen. */
  total: whole(1, 1),
} as const;

/** The record in the drawer, and its second: with it the record is found again when it is not among the loaded. */
const openShape = {
  id: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  at: whole(1, secondsMax),
} as const;

export const listSearch = searchOf(listShape);
export const openSearch = searchOf(openShape);
/** The address of the log. */
export const logsSearch = searchOf({ ...listShape, ...openShape });
export type LogsSearch = ReturnType<typeof logsSearch>;
