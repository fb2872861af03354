import { limitsModel, rateLimitsMax } from '@weir/contract/limits/limit-rules';
import {
  createRateLimit,
  deleteRateLimit,
  getRateLimit,
  listRateLimits,
  type RateLimit,
  type RateLimitInput,
  updateRateLimit,
} from '@weir/contract/limits/rate-limits';
import { AppError } from '../errors.ts';
import type { Actor } from '../http/authenticate.ts';
import { type Call, route, type Routes } from '../http/route.ts';
import type { DatabaseTransaction, ReadQueries } from '../store/database.ts';
import type { Changes } from '../store/nodes/changes.ts';
import * as store from '../store/rate-limits.ts';

interface RateLimitRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

type Subject = Pick<RateLimitInput, 'scope' | 'subject'>;

/** What a scope's subjects are, whether limited as a whole or by model. */
const kindOf = ({ scope }: Subject): string => scope.replace(/_model$/, '');

const idOf = ({ subject }: Subject): number => Number(subject.split('/', 1)[0]);

/** The IDs that rules name, by what they are of. */
const idsOf = (rules: readonly Subject[]) => {
  const ofKind = (pattern: RegExp): number[] => [
    ...new Set(rules.filter((rule) => rule.subject !== '' && pattern.test(kindOf(rule))).map(idOf)),
  ];
  return { tokens: ofKind(/^token$/), users: ofKind(/^user$/), channels: ofKind(/^channel/) };
};

const nameIn = ({ tokens, users, channels }: store.SubjectNames, rule: Subject): string | undefined => {
  if (rule.subject === '' || kindOf(rule) === 'group') return '';
  const kind = kindOf(rule);
  if (kind === 'token') return tokens.get(idOf(rule));
  return kind === 'user' ? users.get(idOf(rule)) : channels.get(idOf(rule));
};

const toRateLimits = async (read: ReadQueries, rows: readonly store.RateLimitRow[]): Promise<RateLimit[]> => {
  const names = await store.findSubjectNames(read, idsOf(rows));
  return rows.map((row) => ({ ...row, subject_name: nameIn(names, row) ?? '' }));
};

const formOf: Readonly<Record<string, RegExp>> = {
  model: /^$/,
  group: /^.{0,64}$/su,
  channel_key: /^(?:[1-9]\d{0,14}(?:\/[1-9]\d{0,3})?)?$/,
};
const idForm = /^(?:[1-9]\d{0,14})?$/;

/** Refuses a rule whose members do not fit each other, or whose subject does not exist. */
const checkRule = async (trx: DatabaseTransaction, rule: RateLimitInput): Promise<void> => {
  if (rule.model !== '' && !limitsModel(rule.scope)) throw new AppError('rate_limit_model');
  if ((rule.metric === 'concurrent') !== (rule.period === '')) throw new AppError('rate_limit_period');
  if (!(formOf[kindOf(rule)] ?? idForm).test(rule.subject)) throw new AppError('rate_limit_subject');
  const names = await store.findSubjectNames(trx, idsOf([rule]));
  if (nameIn(names, rule) === undefined) throw new AppError('rate_limit_subject');
};

const detailOf = ({ scope, subject, model, amount, metric, period }: store.LimitRule): string =>
  [scope, subject, model, amount, metric, period].filter((part) => part !== '').join(' ');

const readRoutes = (routes: Routes): void => {
  const { db } = routes.deps;

  route(routes, listRateLimits, async ({ query }) => {
    const keyword = query.keyword.trim().toLowerCase();
    const all = await toRateLimits(db.read, await store.listRateLimits(db.read));
    const isFound = ({ scope, subject, subject_name: name, model }: RateLimit): boolean =>
      [scope, subject, name, model].some((text) => text.toLowerCase().includes(keyword));
    return { data: all.filter(isFound) };
  });

  route(routes, getRateLimit, async ({ params }) => {
    const row = await store.findRateLimit(db.read, params.id);
    const [found] = row === undefined ? [] : await toRateLimits(db.read, [row]);
    if (found === undefined) throw new AppError('not_found');
    return { data: found };
  });
};

/** The routes of administrators for the rules of rate limits. */
export const rateLimitRoutes = (routes: Routes, { changes, clock }: RateLimitRoutesDeps): void => {
  const { audit, db } = routes.deps;
  readRoutes(routes);

  type By = Pick<Call<typeof createRateLimit>, 'request'> & { readonly actor: Actor };
  /** Makes a change, notes it, and tells the holders of rules in memory. */
  const change = async (
    { actor, request }: By,
    action: string,
    make: (trx: DatabaseTransaction) => Promise<store.RateLimitRow>,
  ): Promise<RateLimit> => {
    const row = await db.write.transaction().execute(async (trx) => {
      const made = await make(trx);
      const subject = `rate_limit ${made.id}`;
      await audit.note(trx, { request, actor: actor.user, action, subject, detail: detailOf(made) });
      return made;
    });
    changes.publish({ topic: 'rate_limit', id: row.id });
    const [shown] = await toRateLimits(db.read, [row]);
    return shown ?? { ...row, subject_name: '' };
  };

  route(routes, createRateLimit, async ({ body, ...by }) => {
    const data = await change(by, 'create_rate_limit', async (trx) => {
      await checkRule(trx, body);
      if ((await store.countRateLimits(trx)) >= rateLimitsMax)
        throw new AppError('rate_limit_many', { max: rateLimitsMax });
      const row = await store.insertRateLimit(trx, body, Math.floor(clock.now() / 1000));
      if (row === undefined) throw new AppError('rate_limit_same');
      return row;
    });
    return { data };
  });

  route(routes, updateRateLimit, async ({ body: { id, ...rule }, ...by }) => {
    const data = await change(by, 'update_rate_limit', async (trx) => {
      await checkRule(trx, rule);
      const same = await store.findSameRule(trx, rule);
      if (same !== undefined && same.id !== id) throw new AppError('rate_limit_same');
      const row = await store.updateRateLimit(trx, id, rule);
      if (row === undefined) throw new AppError('not_found');
      return row;
    });
    return { data };
  });

  route(routes, deleteRateLimit, async ({ params, ...by }) => {
    await change(by, 'delete_rate_limit', async (trx) => {
      const row = await store.deleteRateLimit(trx, params.id);
      if (row === undefined) throw new AppError('not_found');
      return row;
    });
    return {};
  });
};
