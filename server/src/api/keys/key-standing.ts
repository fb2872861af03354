import { getKeyStanding, type KeyStanding, standingCallsMax } from '@weir/contract/limits/key-standing';
import { logType } from '@weir/contract/logs';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { isWithin, plainAddress, rangesOf } from '../../http/ranges.ts';
import { route, type Routes } from '../../http/route.ts';
import { listTokenBudgets } from '../../store/budgets/list-budgets.ts';
import { isTokenKey } from '../../store/credentials/token-key.ts';
import type { ReadQueries } from '../../store/database.ts';
import { hasForeignKeys } from '../../store/foreign-keys.ts';
import { everything } from '../../store/logs/log-filter.ts';
import { readLogs } from '../../store/logs/logs.ts';
import { listRateLimits, type RateLimitRow } from '../../store/rate-limits.ts';
import { findTokenOfKey, type TokenOfKey } from '../../store/token-rolls.ts';
import { toBudgets } from '../budgets/budget-view.ts';

interface KeyStandingDeps {
  readonly clock: { now(): number };
  /** The models that a group can call now. */
  offered(group: string): Promise<readonly { readonly model: string }[]>;
}

/** `sk-KEY-CHANNEL`: the first and the last part may be missing. */
const keyIn = (text: string): string =>
  text
    .replace(/^Bearer +/i, '')
    .replace(/^sk-/, '')
    .split('-', 1)[0] ?? '';

/** The rules that count for a token: one that names it replaces the one for all tokens. */
const limitsOf = async (read: ReadQueries, tokenId: number): Promise<KeyStanding['limits']> => {
  const counting = new Map<string, RateLimitRow>();
  for (const rule of await listRateLimits(read)) {
    const { scope, subject, metric, period, model } = rule;
    const isOfTokens = scope === 'token' || scope === 'token_model';
    if (!isOfTokens || (subject !== '' && subject !== String(tokenId))) continue;
    const name = [scope, metric, period, model].join('\n');
    if (subject !== '' || !counting.has(name)) counting.set(name, rule);
  }
  return Array.from(counting.values(), ({ metric, period, amount, model }) => ({ metric, period, amount, model }));
};

/** Refuses a key that opens nothing: of a disabled owner, replaced, or used from where it does not work. */
const checkUsable = ({ row, validUntil }: TokenOfKey, request: FastifyRequest, now: number): void => {
  if (row.owner_status !== 1 || (validUntil > 0 && now >= validUntil)) throw new AppError('key_invalid');
  const { subnet } = row;
  if (subnet !== '' && !isWithin(rangesOf(subnet.split(',')), plainAddress(request.ip)))
    throw new AppError('key_subnet');
};

/** What a key may still do, for its holder: nothing of the owner's account is told. */
export const keyStandingRoutes = (routes: Routes, { clock, offered }: KeyStandingDeps): void => {
  const { db, secrets, tokenLimit } = routes.deps;

  const find = async (key: string, request: FastifyRequest): Promise<TokenOfKey> => {
    const found =
      isTokenKey(key) || (await hasForeignKeys(db.read)) ? await findTokenOfKey(db, secrets.digest(key)) : undefined;
    if (found !== undefined) return found;
    await tokenLimit.enter(request);
    throw new AppError('key_invalid');
  };

  route(routes, getKeyStanding, async ({ body, request }) => {
    const nowMs = clock.now();
    const found = await find(keyIn(body.key), request);
    checkUsable(found, request, Math.floor(nowMs / 1000));
    const { row, validUntil } = found;
    const allowed = row.models === '' ? null : new Set(row.models.split(','));
    const filter = { ...everything, type: logType.consume, userId: row.user_id, tokenId: row.id };
    const [models, limits, budgets, calls] = await Promise.all([
      offered(row.owner_group),
      limitsOf(db.read, row.id),
      listTokenBudgets(db.read, row.id).then((rows) => toBudgets(db.read, rows, nowMs)),
      readLogs(db, { filter, after: undefined, limit: standingCallsMax }),
    ]);
    const unlimited = row.unlimited_quota === 1;
    return {
      data: {
        name: row.name,
        status: row.status,
        expired_time: row.expired_time,
        valid_until: validUntil,
        unlimited_quota: unlimited,
        remain_quota: unlimited ? 0 : row.available + row.held,
        used_quota: row.used,
        models: models.map(({ model }) => model).filter((model) => allowed === null || allowed.has(model)),
        budgets: budgets.map(({ period, zone, hard, granted, held, used, period_end }) => ({
          period,
          zone,
          hard,
          granted,
          held,
          used,
          period_end,
        })),
        limits,
        calls: calls.map((call) => ({
          id: call.id,
          created_at: call.created_at,
          model_name: call.model_name,
          prompt_tokens: call.prompt_tokens,
          completion_tokens: call.completion_tokens,
          quota: call.quota,
          elapsed_time: call.elapsed_time,
          request_id: call.request_id,
        })),
      },
    };
  });
};
