import { Readable } from 'node:stream';
import {
  type AccountStatement,
  exportOwnStatement,
  exportStatement,
  getOwnStatement,
  getStatement,
} from '@weir/contract/bills/account-statements';
import { exportTeamStatement, getTeamStatement } from '@weir/contract/teams/teams';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import type { Database } from '../../store/database.ts';
import { everything } from '../../store/logs/log-filter.ts';
import { daySeconds, type Span } from '../../store/logs/log-pieces.ts';
import { sumNamedBuckets } from '../../store/logs/log-sums.ts';
import { readAccountMonth } from '../../store/statements/account-months.ts';
import { monthAt, startOfMonth } from '../../store/statements/months.ts';
import { findUsernames } from '../../store/users/users.ts';
import { readManagedTeam } from '../teams/team-access.ts';
import { statementCsv } from './statement-csv.ts';

interface StatementRoutesDeps {
  readonly clock: { now(): number };
}

/** Models with lines of their own. */
const modelsMax = 200;

const monthText = (month: number): string => new Date(startOfMonth(month) * 1000).toISOString().slice(0, 7);

/** The number of a month written as `YYYY-MM`; null: none is named. */
const readMonth = (text: string): number | null => {
  if (text === '') return null;
  const at = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new AppError('statement_month');
  return monthAt(at / 1000);
};

const usageOf = async (db: Database, userId: number, span: Span): Promise<AccountStatement['usage']> => {
  const filter = { ...everything, userId };
  const buckets = await sumNamedBuckets(db, { filter, span, step: daySeconds, by: 'model_name', top: modelsMax });
  return buckets
    .map(({ at, name, requests, promptTokens, completionTokens, quota }) => ({
      day: at,
      model: name ?? '',
      requests,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      quota,
    }))
    .filter(({ requests }) => requests > 0)
    .toSorted((one, other) => one.day - other.day || other.quota - one.quota);
};

/** Accounts in one month: what they had, got, used and have left. */
export const statementRoutes = (routes: Routes, { clock }: StatementRoutesDeps): void => {
  const { db, options } = routes.deps;

  const read = async (userId: number, text: string): Promise<AccountStatement> => {
    const now = Math.floor(clock.now() / 1000);
    const account = await readAccountMonth(db, { userId, month: readMonth(text), now });
    if (account === undefined) throw new AppError('statement_none');
    const { month, ...sums } = account;
    const span = { from: startOfMonth(month), before: startOfMonth(month + 1) };
    const [names, usage] = await Promise.all([findUsernames(db, [userId]), usageOf(db, userId, span)]);
    const username = names.get(String(userId)) ?? '';
    return {
      user_id: userId,
      username,
      month: monthText(month),
      ...span,
      ...sums,
      credits: [...sums.credits],
      usage,
    };
  };
  const fileOf = (statement: AccountStatement) => ({
    file: {
      type: 'text/csv; charset=utf-8',
      name: `statement-${statement.user_id}-${statement.month}.csv`,
      content: Readable.from(statementCsv(statement, options.get('QuotaPerUnit')), { objectMode: false }),
    },
  });

  route(routes, getOwnStatement, async ({ query, actor }) => ({ data: await read(actor.user.id, query.month) }));
  route(routes, getStatement, async ({ query }) => ({ data: await read(query.user_id, query.month) }));
  route(routes, exportOwnStatement, async ({ query, actor }) => fileOf(await read(actor.user.id, query.month)));
  route(routes, exportStatement, async ({ query }) => fileOf(await read(query.user_id, query.month)));
  route(routes, getTeamStatement, async ({ params, query, actor }) => {
    await readManagedTeam(db.read, params.id, actor);
    return { data: await read(params.id, query.month) };
  });
  route(routes, exportTeamStatement, async ({ params, query, actor }) => {
    await readManagedTeam(db.read, params.id, actor);
    return fileOf(await read(params.id, query.month));
  });
};
