import { AppError } from '../../errors.ts';
import { type Actor, isAdmin } from '../../http/authenticate.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import { findTeam, type TeamRow } from '../../store/teams/teams.ts';
import { findToken } from '../../store/tokens.ts';
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

/** Whether the caller made the token, as a member of the team. */
const madeToken = async (read: ReadQueries, team: TeamRow, tokenId: number): Promise<boolean> => {
  if (team.own_member_id === null || tokenId <= 0) return false;
  return (await findToken(read, { id: tokenId, userId: team.id }))?.member_id === team.own_member_id;
};

/** The account whose records a call about the own log reads: the own one, or a team. */
export const readLogAccount = async (
  read: ReadQueries,
  { team: teamId, token_id: tokenId }: { readonly team: number; readonly token_id: number },
  actor: Actor,
): Promise<number> => {
  if (teamId <= 0) return actor.user.id;
  const team = await readTeam(read, teamId, actor);
  if (!manages(actor, team) && !(await madeToken(read, team, tokenId))) throw new AppError('team_manager_only');
  return team.id;
};

/** Whether the caller may see a record: administrators any, users the own ones, members of a team as in its log. */
export const seesRecord = async (
  read: ReadQueries,
  record: { readonly user_id: number; readonly token_id: number },
  actor: Actor,
): Promise<boolean> => {
  if (isAdmin(actor) || record.user_id === actor.user.id) return true;
  const team = await findTeam(read, { id: record.user_id, readerId: actor.user.id });
  if (team === undefined) return false;
  return manages(actor, team) || madeToken(read, team, record.token_id);
};
