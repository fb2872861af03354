import {
  type Budget,
  type BudgetInput,
  createBudget,
  deleteBudget,
  getBudget,
  listBudgets,
  updateBudget,
} from '@weir/contract/limits/budgets';
import { outranks } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import { type Actor, isAdmin } from '../../http/authenticate.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import * as store from '../../store/budgets/budgets.ts';
import { findNamedBudget, listBudgets as listNamed, type NamedBudget } from '../../store/budgets/list-budgets.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { listMemberships } from '../../store/teams/teams.ts';
import { toBudgets } from './budget-view.ts';

interface BudgetRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

/** Whose budgets a caller sees and sets. */
interface Reach {
  readonly actor: Actor;
  /** Teams that the caller manages. */
  readonly teams: readonly number[];
}

const reachOf = async (read: ReadQueries, actor: Actor): Promise<Reach> => {
  const members = await listMemberships(read, actor.user.id);
  return { actor, teams: members.filter(({ role }) => role === 'manager').map(({ team_id: id }) => id) };
};

/** Users see the budgets of their account, their tokens and the teams that they manage; administrators see all. */
const maySee = ({ actor, teams }: Reach, { owner_id: ownerId }: NamedBudget): boolean =>
  isAdmin(actor) || ownerId === actor.user.id || (ownerId !== null && teams.includes(ownerId));

/** Refuses a subject that the caller may set no budget for: to users it is as if it did not exist. */
const checkSubject = ({ actor, teams }: Reach, budget: NamedBudget): void => {
  const { scope, owner_id: ownerId, owner_role: ownerRole } = budget;
  if (scope === 'model' && isAdmin(actor)) return;
  if (ownerId === actor.user.id && (scope === 'token' || isAdmin(actor))) return;
  if (ownerId !== null && teams.includes(ownerId)) return;
  if (isAdmin(actor) && ownerRole !== null && outranks(actor.user.role, ownerRole)) return;
  throw new AppError('budget_subject');
};

/** The budget, if the caller may change it. */
const findOwn = async (read: ReadQueries, actor: Actor, id: number): Promise<NamedBudget> => {
  const found = await findNamedBudget(read, id);
  const reach = await reachOf(read, actor);
  if (found === undefined || !maySee(reach, found)) throw new AppError('not_found');
  if (found.by_admin === 1 && !isAdmin(actor)) throw new AppError('budget_by_admin');
  checkSubject(reach, found);
  return found;
};

const detailOf = ({ scope, subject_id: id, model, amount, period, hard }: NamedBudget): string =>
  [scope, scope === 'model' ? model : id, amount, period, hard === 1 ? 'hard' : 'soft'].join(' ');

const readRoutes = (routes: Routes, { clock }: Pick<BudgetRoutesDeps, 'clock'>): void => {
  const { db } = routes.deps;

  route(routes, listBudgets, async ({ query, actor }) => {
    const { teams } = await reachOf(db.read, actor);
    const own = isAdmin(actor) ? {} : { ownerIds: [actor.user.id, ...teams] };
    const rows = await listNamed(db.read, { ...own, keyword: query.keyword });
    return { data: await toBudgets(db.read, rows, clock.now()) };
  });

  route(routes, getBudget, async ({ params, actor }) => {
    const row = await findNamedBudget(db.read, params.id);
    if (row === undefined || !maySee(await reachOf(db.read, actor), row)) throw new AppError('not_found');
    const [found] = await toBudgets(db.read, [row], clock.now());
    if (found === undefined) throw new AppError('not_found');
    return { data: found };
  });
};

/** A model has a name and no ID, all else an ID alone. */
const checkForm = ({ scope, subject_id: id, model }: BudgetInput): void => {
  const fits = scope === 'model' ? model !== '' && id === 0 : model === '' && id > 0;
  if (!fits) throw new AppError('budget_subject');
};

/** Budgets of tokens, users, members of teams, and models. */
export const budgetRoutes = (routes: Routes, { changes, clock }: BudgetRoutesDeps): void => {
  const { audit, db } = routes.deps;
  readRoutes(routes, { clock });

  type By = Pick<Call<typeof createBudget>, 'request' | 'actor'>;
  /** Makes a change, notes it, and tells the holders of budgets in memory. */
  const change = async (
    { actor, request }: By,
    action: string,
    make: (trx: DatabaseTransaction, at: number) => Promise<NamedBudget>,
  ): Promise<Budget> => {
    const row = await db.write.transaction().execute(async (trx) => {
      const made = await make(trx, Math.floor(clock.now() / 1000));
      const subject = `budget ${made.id}`;
      await audit.note(trx, { request, actor: actor.user, action, subject, detail: detailOf(made) });
      return made;
    });
    changes.publish({ topic: 'budget', id: row.id });
    const [shown] = await toBudgets(db.read, [row], clock.now());
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  };

  route(routes, createBudget, async ({ body, ...by }) => {
    checkForm(body);
    const data = await change(by, 'create_budget', async (trx, at) => {
      const { subject_id: subjectId, ...input } = body;
      const row = await store.insertBudget(trx, { ...input, subjectId, byAdmin: isAdmin(by.actor), at });
      // The caller learns of a budget that is there only where it could have made one.
      const [same] = row === undefined ? await store.budgetsOf(trx, [{ ...input, subjectId }]) : [row];
      const named = same && (await findNamedBudget(trx, same.id));
      if (named === undefined) throw new AppError('budget_subject');
      checkSubject(await reachOf(trx, by.actor), named);
      if (row === undefined) throw new AppError('budget_same');
      return named;
    });
    return { data };
  });

  route(routes, updateBudget, async ({ body: { id, ...terms }, ...by }) => {
    const data = await change(by, 'update_budget', async (trx, at) => {
      const found = await findOwn(trx, by.actor, id);
      const row = await store.changeBudget(db, trx, { id, at, ...terms });
      if (row === undefined) throw new AppError('not_found');
      return { ...found, ...row };
    });
    return { data };
  });

  route(routes, deleteBudget, async ({ params, ...by }) => {
    await change(by, 'delete_budget', async (trx) => {
      const found = await findOwn(trx, by.actor, params.id);
      await store.deleteBudget(trx, found.id);
      return found;
    });
    return {};
  });
};
