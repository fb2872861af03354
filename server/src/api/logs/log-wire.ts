import type { Log } from '@weir/contract/logs';
import type { LogFilter } from '../../store/logs/log-filter.ts';
import type { LogRow } from '../../store/logs/logs.ts';

/** The filters of the log's calls. */
export interface WireFilter {
  readonly type: number;
  readonly token_name: string;
  readonly model_name: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly channel?: number;
}

/** `userId` 0 asks for everybody's rows. */
export const toFilter = (query: WireFilter, userId: number): LogFilter => ({
  userId,
  type: query.type,
  tokenName: query.token_name,
  modelName: query.model_name,
  channelId: query.channel ?? 0,
  start: Math.max(0, query.start_timestamp),
  end: Math.max(0, query.end_timestamp),
});

export const toLog = (row: LogRow): Log => ({
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
  request_id: row.request_id,
  elapsed_time: row.elapsed_time,
  is_stream: row.is_stream === 1,
  system_prompt_reset: row.system_prompt_reset === 1,
});

/** Which channel served a request is the operator's business. */
export const toOwnLog = (row: LogRow): Log => ({ ...toLog(row), channel: 0 });
