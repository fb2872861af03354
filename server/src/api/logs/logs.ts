import {
  clearLogs,
  countLogs,
  countOwnLogs,
  listLogs,
  listOwnLogs,
  type LogCount,
  searchLogs,
  searchOwnLogs,
  statLogs,
  statOwnLogs,
} from '@weir/contract/logs';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import type { LogClearing } from '../../jobs/clear-logs.ts';
import type { Database } from '../../store/database.ts';
import { countByTime } from '../../store/logs/log-counts.ts';
import type { LogFilter } from '../../store/logs/log-filter.ts';
import { sumLogs } from '../../store/logs/logs.ts';
import { findUserId } from '../../store/users/users.ts';
import { readLogAccount } from '../teams/team-access.ts';
import { logExportRoutes } from './log-export.ts';
import { readLogPage, searchRecords } from './log-records.ts';
import { toFilter, type WireFilter } from './log-wire.ts';
import { refusalRoutes } from './refusals.ts';

interface LogRoutesDeps {
  readonly clearing: LogClearing;
  readonly clock: { now(): number };
}

const sum = async (db: Database, filter: LogFilter) => {
  const { quota, tokens } = await sumLogs(db, filter);
  return { quota, token: tokens };
};

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

/** Records of all users. */
const allRoutes = (routes: Routes, { clock }: LogRoutesDeps): void => {
  const { db } = routes.deps;
  /** Rows keep the user name of their time, but are found by the current name: undefined where no user has it. */
  const filterOf = async (query: WireFilter & { readonly username: string }): Promise<LogFilter | undefined> => {
    const userId = query.username === '' ? 0 : await findUserId(db.read, query.username);
    return userId === undefined ? undefined : toFilter(query, userId);
  };
  route(routes, listLogs, async ({ query, actor }) => {
    const filter = await filterOf(query);
    if (filter === undefined) return { data: [] };
    return { data: await readLogPage({ db, filter, own: false }, { page: query.p, reader: actor.user.id }) };
  });
  route(routes, statLogs, async ({ query }) => {
    const filter = await filterOf(query);
    return { data: filter === undefined ? { quota: 0, token: 0 } : await sum(db, filter) };
  });
  route(routes, countLogs, async ({ query }) => {
    const filter = await filterOf(query);
    return { data: filter === undefined ? nothing : await countOf(db, filter, clock) };
  });
  route(routes, searchLogs, async ({ query }) => ({
    data: await searchRecords(db, { userId: 0, keyword: query.keyword }),
  }));
};

const nothing: LogCount = { step: 3600, total: 0, buckets: [] };

const countOf = async (db: Database, filter: LogFilter, clock: { now(): number }): Promise<LogCount> => {
  const { step, buckets } = await countByTime(db, { filter, now: Math.floor(clock.now() / 1000) });
  return {
    step,
    total: buckets.reduce((total, { requests }) => total + requests, 0),
    buckets: buckets.map(({ at, requests, quota, promptTokens, completionTokens }) => ({
      at,
      records: requests,
      quota,
      tokens: promptTokens + completionTokens,
    })),
  };
};

/** The records of the own account, or of a team. */
const ownRoutes = (routes: Routes, { clock }: LogRoutesDeps): void => {
  const { db } = routes.deps;
  const filterOf = async (query: Parameters<typeof readLogAccount>[1] & WireFilter, actor: Actor) =>
    toFilter(query, await readLogAccount(db.read, query, actor));
  route(routes, listOwnLogs, async ({ query, actor }) => {
    const filter = await filterOf(query, actor);
    return { data: await readLogPage({ db, filter, own: true }, { page: query.p, reader: actor.user.id }) };
  });
  route(routes, statOwnLogs, async ({ query, actor }) => ({ data: await sum(db, await filterOf(query, actor)) }));
  route(routes, countOwnLogs, async ({ query, actor }) => ({
    data: await countOf(db, await filterOf(query, actor), clock),
  }));
  route(routes, searchOwnLogs, async ({ query, actor }) => ({
    data: await searchRecords(db, { userId: actor.user.id, keyword: query.keyword }),
  }));
};

export const logRoutes = (routes: Routes, deps: LogRoutesDeps): void => {
  allRoutes(routes, deps);
  ownRoutes(routes, deps);
  clearRoute(routes, deps);
  refusalRoutes(routes);
  logExportRoutes(routes);
};
