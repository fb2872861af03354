import { logType } from '@weir/contract/logs';
import type { Selectable } from 'kysely';
import { hourSeconds } from '../../store/logs/log-hours.ts';
import { emptyLog, type NewLog } from '../../store/logs/log-columns.ts';
import type { LogHoursTable } from '../../store/schema.ts';
import type { Findings } from '../findings.ts';
import { readRow } from '../source-values.ts';
import type { SourceRow } from '../sources/source.ts';

export interface ImportedLog extends NewLog {
  readonly id: number;
}

type Reading = Pick<{ readonly findings: Findings; readonly isNewApi: boolean }, 'findings' | 'isNewApi'>;

/** Types that both have. New API has given 5 to errors, which is a channel test here. */
const isKnownType = (type: number, isNewApi: boolean): boolean => type >= 0 && type <= (isNewApi ? 4 : 5);

/** A log row; undefined: it stays behind. Its token is known by its name alone. */
export const convertLog = (source: SourceRow, { findings, isNewApi }: Reading): ImportedLog | undefined => {
  const row = readRow('logs', source);
  if (row.id <= 0) {
    findings.add('log_no_id', { table: 'logs', id: row.id });
    return undefined;
  }
  const type = row.integer('type');
  const userId = row.integer('user_id');
  const isKnown = isKnownType(type, isNewApi);
  if (!isKnown) findings.add('log_type', { table: 'logs', id: row.id, detail: `type ${type}` });
  if (userId === 0) findings.add('log_user_zero', { table: 'logs', id: row.id });
  return {
    ...emptyLog,
    id: row.id,
    user_id: userId,
    created_at: row.integer('created_at'),
    type: isKnown ? type : logType.system,
    content: row.text('content'),
    username: row.text('username'),
    token_name: row.text('token_name'),
    model_name: row.text('model_name'),
    quota: row.integer('quota'),
    prompt_tokens: row.integer('prompt_tokens'),
    completion_tokens: row.integer('completion_tokens'),
    channel_id: row.integer(isNewApi && row.has('channel') ? 'channel' : 'channel_id'),
    request_id: row.text('request_id'),
    elapsed_time: isNewApi ? row.integer('use_time') * 1000 : row.integer('elapsed_time'),
    is_stream: row.flag('is_stream') ? 1 : 0,
    system_prompt_reset: row.flag('system_prompt_reset') ? 1 : 0,
  };
};

type Hour = { -readonly [Key in keyof Selectable<LogHoursTable>]: Selectable<LogHoursTable>[Key] };

/** The hourly sums of some consumption, one row for each key. */
export const sumHours = (logs: readonly ImportedLog[]): readonly Selectable<LogHoursTable>[] => {
  const hours = new Map<string, Hour>();
  for (const log of logs) {
    if (log.type !== logType.consume) continue;
    const hour = Math.floor(log.created_at / hourSeconds);
    const { user_id, token_id, token_name, model_name, channel_id } = log;
    const key = `${hour} ${user_id} ${channel_id} ${token_name}\n${model_name}`;
    const row = hours.get(key) ?? {
      hour,
      user_id,
      token_id,
      token_name,
      model_name,
      channel_id,
      requests: 0,
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      cost: 0,
      costed: 0,
    };
    hours.set(key, row);
    row.requests += 1;
    row.quota += log.quota;
    row.prompt_tokens += log.prompt_tokens;
    row.completion_tokens += log.completion_tokens;
  }
  return [...hours.values()];
};
