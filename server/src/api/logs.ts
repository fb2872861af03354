import {
  clearLogs,
  listLogs,
  listOwnLogs,
  searchLogs,
  searchOwnLogs,
  statLogs,
  statOwnLogs,
  type Log,
} from '@weir/contract/logs';
import { AppError } from '../errors.ts';
import { route, type Routes } from '../http/route.ts';
import type { LogClearing } from '../jobs/clear-logs.ts';
import { searchLogs as findLogs } from '../store/log-search.ts';
import * as store from '../store/logs.ts';
import { findUserId } from '../store/users.ts';

interface WireFilter {
  readonly type: number;
  readonly token_name: string;
  readonly model_name: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly channel?: number;
}

/** `userId` 0 asks for everybody's rows. */
const toFilter = (query: WireFilter, userId: number): store.LogFilter => ({
  userId,
  type: query.type,
  tokenName: query.token_name,
  modelName: query.model_name,
  channelId: query.channel ?? 0,
  start: Math.max(0, query.start_timestamp),
  end: Math.max(0, query.end_timestamp),
});

const toLog = (row: store.LogRow): Log => ({
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
const toOwnLog = (row: store.LogRow): Log => ({ ...toLog(row), channel: 0 });

const nothing = { quota: 0, token: 0 };

interface LogRoutesDeps {
  readonly clearing: LogClearing;
}

const clearRoute = (routes: Routes, { clearing }: LogRoutesDeps): void => {
  route(routes, clearLogs, async ({ query, actor, request }) => {
    const before = query.target_timestamp;
    if (before <= 0) throw new AppError('log_target_missing');
    const { count, done } = await clearing.clear(before);
    const detail = `before ${before}: ${count}${done ? '' : ', the rest follows'}`;
    await routes.deps.audit.noteAlone({ request, actor: actor.user, action: 'clear_logs', subject: 'logs', detail });
    return { data: count };
  });
};

export const logRoutes = (routes: Routes, deps: LogRoutesDeps): void => {
  const { db } = routes.deps;
  /** Rows keep the name their user had, but are found by the name he has: undefined where nobody has it. */
  const userIdOf = async (username: string): Promise<number | undefined> =>
    username === '' ? 0 : findUserId(db.query, username);
  const sum = async (filter: store.LogFilter) => {
    const { quota, tokens } = await store.sumLogs(db, filter);
    return { quota, token: tokens };
  };

  route(routes, listLogs, async ({ query, actor }) => {
    const userId = await userIdOf(query.username);
    if (userId === undefined) return { data: [] };
    const filter = toFilter(query, userId);
    const rows = await store.listLogs(db, { filter, page: query.p, reader: actor.user.id });
    return { data: rows.map(toLog) };
  });
  route(routes, listOwnLogs, async ({ query, actor }) => {
    const { id } = actor.user;
    const rows = await store.listLogs(db, { filter: toFilter(query, id), page: query.p, reader: id });
    return { data: rows.map(toOwnLog) };
  });
  route(routes, statLogs, async ({ query }) => {
    const userId = await userIdOf(query.username);
    return { data: userId === undefined ? nothing : await sum(toFilter(query, userId)) };
  });
  route(routes, searchLogs, async ({ query }) => {
    const rows = await findLogs(db, { userId: 0, keyword: query.keyword });
    return { data: rows.map(toLog) };
  });
  route(routes, searchOwnLogs, async ({ query, actor }) => {
    const rows = await findLogs(db, { userId: actor.user.id, keyword: query.keyword });
    return { data: rows.map(toOwnLog) };
  });
  clearRoute(routes, deps);
  route(routes, statOwnLogs, async ({ query, actor }) => ({ data: await sum(toFilter(query, actor.user.id)) }));
};
