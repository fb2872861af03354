import { endRun, getRun, listRuns, type Run } from '@weir/contract/limits/runs';
import { runEndOf } from '@weir/contract/limits/run-rules';
import { outranks } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import { type Actor, isAdmin } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import type { ReadQueries } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { findNamedRun, listRuns as listNamed, type NamedRun, sumRunSteps } from '../../store/runs/list-runs.ts';
import * as store from '../../store/runs/runs.ts';
import { listMemberships } from '../../store/teams/teams.ts';
import { seesRecord } from '../teams/team-access.ts';

interface RunRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

/** The run, if the caller may see it: the own, one of a team as its log has it, or any for administrators. */
const findSeen = async (read: ReadQueries, actor: Actor, id: number): Promise<NamedRun> => {
  const row = await findNamedRun(read, id);
  if (row === undefined || !(await seesRecord(read, row, actor))) throw new AppError('not_found');
  return row;
};

/** The account of the caller and those of the teams that it manages; undefined, for administrators: all. */
const accountsOf = async (read: ReadQueries, actor: Actor): Promise<readonly number[] | undefined> => {
  if (isAdmin(actor)) return undefined;
  const memberships = await listMemberships(read, actor.user.id);
  return [actor.user.id, ...memberships.filter(({ role }) => role === 'manager').map(({ team_id: id }) => id)];
};

/** Runs of agents: their cost, and their end. */
export const runRoutes = (routes: Routes, { changes, clock }: RunRoutesDeps): void => {
  const { audit, db } = routes.deps;
  const now = (): number => Math.floor(clock.now() / 1000);

  const toRun = ({ owner_role: _role, period_id: _period, token_name: tokenName, ...row }: NamedRun): Run => ({
    ...row,
    token_name: tokenName ?? '',
    end: runEndOf(row, now()) ?? '',
  });

  route(routes, listRuns, async ({ query, actor }) => {
    const rows = await listNamed(db.read, { userIds: await accountsOf(db.read, actor), keyword: query.keyword });
    return { data: rows.map(toRun) };
  });

  route(routes, getRun, async ({ params, actor }) => {
    const row = await findSeen(db.read, actor, params.id);
    return { data: { ...toRun(row), steps: await sumRunSteps(db.read, row.id) } };
  });

  route(routes, endRun, async ({ params, actor, request }) => {
    const row = await db.write.transaction().execute(async (trx) => {
      const found = await findSeen(trx, actor, params.id);
      // Others who see it own it, by themselves or by a team.
      if (isAdmin(actor) && found.user_id !== actor.user.id && !outranks(actor.user.role, found.owner_role))
        throw new AppError('user_rank_update');
      if (await store.endRun(trx, found.id, now()))
        await audit.note(trx, {
          request,
          actor: actor.user,
          action: 'end_run',
          subject: `run ${found.id}`,
          detail: found.name,
        });
      return found.id;
    });
    changes.publish({ topic: 'run', id: row });
    return { data: toRun(await findSeen(db.read, actor, row)) };
  });
};
