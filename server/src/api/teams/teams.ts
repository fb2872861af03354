import { defaultGroup } from '@weir/contract/groups';
import { teamMembersMax } from '@weir/contract/teams/team-roles';
import {
  addTeamMember,
  createTeam,
  getTeam,
  listTeams,
  removeTeamMember,
  type Team,
  type TeamWithMembers,
  updateTeamMember,
} from '@weir/contract/teams/teams';
import { AppError } from '../../errors.ts';
import { type Actor, isAdmin } from '../../http/authenticate.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import * as store from '../../store/teams/teams.ts';
import { readUserName, refuseTakenName } from '../../store/users/user-names.ts';
import { findUserByName, type UserRow } from '../../store/users/users.ts';
import { lockManagedTeam, lockTeam, manages, readTeam } from './team-access.ts';

interface TeamRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

const toTeam = (row: store.TeamRow): Team => ({
  id: row.id,
  name: row.username,
  display_name: row.display_name,
  group: row.group,
  status: row.status,
  quota: row.available + row.held,
  used_quota: row.used,
  request_count: row.request_count,
  role: row.own_role ?? '',
  members: Number(row.members),
  created_time: row.created_time,
});

const withMembers = async (read: ReadQueries, row: store.TeamRow): Promise<TeamWithMembers> => {
  const people = await store.listMembers(read, row.id);
  return {
    ...toTeam(row),
    people: people.map(({ used, tokens, ...member }) => ({
      ...member,
      tokens: Number(tokens),
      used_quota: Number(used ?? 0),
    })),
  };
};

/** A person, by the user name. */
const findPerson = async (read: ReadQueries, username: string): Promise<UserRow> => {
  const user = await findUserByName(read, username.trim());
  if (user === undefined) throw new AppError('user_unknown');
  if (user.is_team === 1) throw new AppError('team_member_team');
  return user;
};

/** A team keeps a manager; an administrator, who can make another one, may leave it without. */
const keepManager = async (trx: DatabaseTransaction, actor: Actor, member: store.MemberRow): Promise<void> => {
  if (member.role !== 'manager' || isAdmin(actor)) return;
  const members = await store.listMembers(trx, member.team_id);
  if (members.filter(({ role }) => role === 'manager').length < 2) throw new AppError('team_last_manager');
};

const findMember = async (trx: DatabaseTransaction, teamId: number, userId: number): Promise<store.MemberRow> => {
  const member = await store.findMember(trx, { teamId, userId });
  if (member === undefined) throw new AppError('team_member_unknown');
  return member;
};

const readRoutes = (routes: Routes): void => {
  const { db } = routes.deps;

  route(routes, listTeams, async ({ query, actor }) => {
    const filter = { readerId: actor.user.id, all: isAdmin(actor), keyword: query.keyword };
    return { data: (await store.listTeams(db.read, filter)).map(toTeam) };
  });

  route(routes, getTeam, async ({ params, actor }) => ({
    data: await withMembers(db.read, await readTeam(db.read, params.id, actor)),
  }));
};

const createRoute = (routes: Routes, { clock }: TeamRoutesDeps): void => {
  const { audit, db } = routes.deps;

  route(routes, createTeam, async ({ body, actor, request }) => {
    const name = readUserName(body.name);
    const at = Math.floor(clock.now() / 1000);
    const id = await db.write.transaction().execute(async (trx) => {
      await refuseTakenName(trx, name);
      const made = await store.insertTeam(trx, {
        name,
        displayName: body.display_name || name,
        group: defaultGroup,
        at,
      });
      if (body.manager !== '') {
        const { id: userId } = await findPerson(trx, body.manager);
        await store.putMember(trx, { teamId: made, userId, role: 'manager', at });
      }
      await audit.note(trx, {
        request,
        actor: actor.user,
        action: 'create_team',
        subject: `user ${made}`,
        detail: name,
      });
      return made;
    });
    return { data: await withMembers(db.read, await readTeam(db.read, id, actor)) };
  });
};

const memberRoutes = (routes: Routes, { changes, clock }: TeamRoutesDeps): void => {
  const { audit, db } = routes.deps;
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const note = (
    trx: DatabaseTransaction,
    { params, actor, request }: Pick<Call<typeof addTeamMember>, 'params' | 'actor' | 'request'>,
    action: string,
    detail: string,
  ) => audit.note(trx, { request, actor: actor.user, action, subject: `user ${params.id}`, detail });
  const shown = async (id: number, actor: Actor) => ({
    data: await withMembers(db.read, await readTeam(db.read, id, actor)),
  });

  route(routes, addTeamMember, async (call) => {
    const { params, body, actor } = call;
    await db.write.transaction().execute(async (trx) => {
      const team = await lockManagedTeam(trx, params.id, actor);
      const { id: userId, username } = await findPerson(trx, body.username);
      if ((await store.findMember(trx, { teamId: team.id, userId })) !== undefined)
        throw new AppError('team_member_twice', { name: username });
      if (Number(team.members) >= teamMembersMax) throw new AppError('team_full', { max: teamMembersMax });
      await store.putMember(trx, { teamId: team.id, userId, role: body.role, at: seconds() });
      await note(trx, call, 'add_team_member', `${username} ${body.role}`);
    });
    return shown(params.id, actor);
  });

  route(routes, updateTeamMember, async (call) => {
    const { params, body, actor } = call;
    await db.write.transaction().execute(async (trx) => {
      const team = await lockManagedTeam(trx, params.id, actor);
      const member = await findMember(trx, team.id, body.user_id);
      if (body.role !== 'manager') await keepManager(trx, actor, member);
      await store.setMemberRole(trx, member.id, body.role);
      await note(trx, call, 'update_team_member', `user ${body.user_id} ${body.role}`);
    });
    return shown(params.id, actor);
  });

  route(routes, removeTeamMember, async (call) => {
    const { params, actor } = call;
    await db.write.transaction().execute(async (trx) => {
      const team = await lockTeam(trx, params.id, actor);
      if (params.user !== actor.user.id && !manages(actor, team)) throw new AppError('team_manager_only');
      const member = await findMember(trx, team.id, params.user);
      await keepManager(trx, actor, member);
      await store.endMembership(trx, member.id, seconds());
      await note(trx, call, 'remove_team_member', `user ${params.user}`);
    });
    // The tokens that the member made are disabled.
    changes.publish({ topic: 'user', id: params.id });
    return {};
  });
};

/** Teams: accounts that several users spend from. */
export const teamRoutes = (routes: Routes, deps: TeamRoutesDeps): void => {
  readRoutes(routes);
  createRoute(routes, deps);
  memberRoutes(routes, deps);
};
