import { emptyLog, type Log, logType } from '@weir/contract/logs';
import { findChannelNames } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import type { LogFilter } from '../../store/logs/log-filter.ts';
import type { LogRow } from '../../store/logs/logs.ts';
import type { RefusalRow } from '../../store/refusals/refusal-list.ts';
import { costOfRow } from './costs.ts';

/** The filters of the log's calls. */
export interface WireFilter {
  readonly type: number;
  readonly token_name: string;
  readonly token_id?: number;
  readonly model_name: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly channel?: number;
  readonly without_tests?: number;
}

/** No row has it. */
const noType = 99;

const typeOf = ({ type, without_tests: withoutTests = 0 }: WireFilter): number => {
  if (type === logType.all && withoutTests > 0) return -logType.test;
  return type < 0 ? noType : type;
};

/** `userId` 0: rows of all users. */
export const toFilter = (query: WireFilter, userId: number): LogFilter => ({
  userId,
  type: typeOf(query),
  tokenName: query.token_name,
  tokenId: Math.max(0, query.token_id ?? 0),
  modelName: query.model_name,
  channelId: query.channel ?? 0,
  start: Math.max(0, query.start_timestamp),
  end: Math.max(0, query.end_timestamp),
});

/** As the wire shows it. Members are named one by one: taking the others of a row takes ten times as long. */
const toLog = (row: LogRow, channelName: string): Log => {
  const log = {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: row.content,
    username: row.username,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    channel: row.channel_id,
    channel_name: channelName,
    request_id: row.request_id,
    elapsed_time: row.elapsed_time,
    is_stream: row.is_stream === 1,
    system_prompt_reset: row.system_prompt_reset === 1,
  };
  return row.run_id > 0 ? { ...log, run: { id: row.run_id, step: row.run_step } } : log;
};

/** Which channel served a request, and what that cost, is the operator's business. */
export const toOwnLogs = (rows: readonly LogRow[]): Log[] => rows.map((row) => ({ ...toLog(row, ''), channel: 0 }));

/** Rows for administrators, with what they cost and the names that their channels have now or had last. */
export const toLogs = async (db: Database, rows: readonly LogRow[]): Promise<Log[]> => {
  const ids = new Set(rows.map((row) => row.channel_id).filter((id) => id > 0));
  const names = await findChannelNames(db, [...ids]);
  return rows.map((row) => {
    const log = toLog(row, names.get(String(row.channel_id)) ?? '');
    return row.type === logType.consume || row.type === logType.test ? { ...log, cost: costOfRow(row) } : log;
  });
};

/** A refused call as a record: its text is the answer's. It has no channel and no cost. */
export const toRefusedLog = (row: RefusalRow): Log => ({
  ...emptyLog,
  id: row.id,
  user_id: row.user_id,
  created_at: row.created_at,
  type: logType.refused,
  content: row.message,
  username: row.username,
  token_name: row.token_name,
  model_name: row.model_name,
  request_id: row.request_id,
  elapsed_time: row.elapsed_time,
  is_stream: row.is_stream === 1,
  refusal: { rule: row.rule, status: row.status },
});
