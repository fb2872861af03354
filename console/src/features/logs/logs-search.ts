import { logType } from '@weir/contract/logs';
import { listParams } from '../../lib/list-search.ts';
import { oneOf, oneOfNumbers, searchOf, upTo, whole } from '../../lib/search-params.ts';
import { presetIds, usualRange } from './log-range.ts';

/** The last second of the year 9999: times beyond have no four-digit year. */
const secondsMax = 253_402_300_799;
const nameMax = 256;

/** What the type filter offers (specification §4); 0 is no filter and stays out of the address. */
export const filterTypes = [logType.topUp, logType.consume, logType.manage, logType.system] as const;

/** The address of the log. Filters carry the names of the wire. */
export const logsSearch = searchOf({
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
  /** The record in the drawer, and its second: with it the record is found again when it is not among the loaded. */
  id: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  at: whole(1, secondsMax),
});
export type LogsSearch = ReturnType<typeof logsSearch>;
