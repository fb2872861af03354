import { logType } from '@weir/contract/logs';
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { type ConsumptionFilter, hourSeconds } from './log-hours.ts';
import type { Span } from './log-pieces.ts';
import type { Schema } from '../schema.ts';

/** 0 and empty text are filters not set. Users are filtered by id: a row keeps the name that its user had. */
export interface LogFilter extends ConsumptionFilter {
  /** Negative: all but that type. */
  readonly type: number;
  /** Unix seconds, inclusive, as `end`. */
  readonly start: number;
  readonly end: number;
}

/** No filter at all. */
export const everything: LogFilter = {
  userId: 0,
  type: logType.all,
  tokenName: '',
  tokenId: 0,
  modelName: '',
  channelId: 0,
  start: 0,
  end: 0,
};

/** Later than any hour. */
const hoursMax = Math.floor(Number.MAX_SAFE_INTEGER / hourSeconds);

/** The time that a filter covers. */
export const spanOf = ({ start, end }: Pick<LogFilter, 'start' | 'end'>): Span => ({
  from: start,
  before: end > 0 ? end + 1 : hoursMax * hourSeconds,
});

export type Conditions = (eb: ExpressionBuilder<Schema, 'logs'>) => Expression<SqlBool>[];

/** Rows of a type, or of all but one; consumption is in no index by type. */
export const ofType =
  (type: number): Conditions =>
  (eb) => {
    if (type === logType.all) return [];
    return [type < 0 ? eb('type', '<>', -type) : eb('type', '=', type)];
  };

/**
 * Conditions on a row besides its type. `+` keeps an index out of a query (sqlite.org/optoverview.html; PostgreSQL sees
 * an expression too): within a range of time, SQLite would rather read all rows of a user than those of an hour.
 */
export const filtered =
  (filter: ConsumptionFilter): Conditions =>
  (eb) => [
    ...(filter.userId > 0 ? [eb(sql<number>`+user_id`, '=', filter.userId)] : []),
    ...(filter.tokenName === '' ? [] : [eb('token_name', '=', filter.tokenName)]),
    ...(filter.tokenId > 0 ? [eb('token_id', '=', filter.tokenId)] : []),
    ...(filter.modelName === '' ? [] : [eb('model_name', '=', filter.modelName)]),
    ...(filter.channelId > 0 ? [eb('channel_id', '=', filter.channelId)] : []),
  ];

/**
 * Records other than consumption: rare, and in indexes of their own. A query uses those only if it repeats the indexes'
 * condition literally.
 */
export const others =
  ({ type, userId, ...filter }: Pick<LogFilter, 'type'> & ConsumptionFilter): Conditions =>
  (eb) => [
    eb('type', '<>', eb.lit(logType.consume)),
    ...(type < 0 ? ofType(type)(eb) : []),
    ...(type > 0 ? [eb(userId > 0 ? sql<number>`+type` : 'type', '=', type)] : []),
    ...(userId > 0 ? [eb('user_id', '=', userId)] : []),
    ...filtered({ ...filter, userId: 0 })(eb),
  ];

export const within =
  ({ from, before }: Span): Conditions =>
  (eb) => [...(from > 0 ? [eb('created_at', '>=', from)] : []), eb('created_at', '<', before)];

export const wantsConsumption = ({ type }: Pick<LogFilter, 'type'>): boolean =>
  type <= logType.all || type === logType.consume;
export const wantsOthers = ({ type }: Pick<LogFilter, 'type'>): boolean => type !== logType.consume;
