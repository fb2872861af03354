import { AppError } from '../../errors.ts';
import { type Actor, isAdmin } from '../../http/authenticate.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import { findTeam, type TeamRow } from '../../store/teams/teams.ts';
import { lockUser } from '../../store/users/users.ts';

/** Administrators manage every team. */
export const manages = (actor: Actor, team: TeamRow): boolean => isAdmin(actor) || team.own_role === 'manager';

/** The team, for its members and for administrators; to others it is as if it did not exist. */
export const readTeam = async (read: ReadQueries, id: number, actor: Actor): Promise<TeamRow> => {
  const team = await findTeam(read, { id, readerId: actor.user.id });
  if (team === undefined || (team.own_role === null && !isAdmin(actor))) throw new AppError('not_found');
  return team;
};

/** The team, for those who manage it. */
export const readManagedTeam = async (read: ReadQueries, id: number, actor: Actor): Promise<TeamRow> => {
  const team = await readTeam(read, id, actor);
  if (!manages(actor, team)) throw new AppError('team_manager_only');
  return team;
};

/** Locks the account of the team, so that the roles that permit a change are still the same when it is made. */
export const lockTeam = async (trx: DatabaseTransaction, id: number, actor: Actor): Promise<TeamRow> => {
  await lockUser(trx, id);
  return readTeam(trx, id, actor);
};

export const lockManagedTeam = async (trx: DatabaseTransaction, id: number, actor: Actor): Promise<TeamRow> => {
  await lockUser(trx, id);
  return readManagedTeam(trx, id, actor);
};
