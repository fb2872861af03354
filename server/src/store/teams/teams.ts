import type { TeamRole } from '@weir/contract/teams/team-roles';
import { tokenStatus } from '@weir/contract/tokens';
import { userStatus } from '@weir/contract/users';
import { type Selectable, sql } from 'kysely';
import type { DatabaseTransaction, ReadQueries, WriteQueries } from '../database.ts';
import { contains, idIn, searchMax } from '../search.ts';
import { insertUser, plainUser, type UserRow } from '../users/users.ts';
import type { TeamMembersTable } from './team-table.ts';

export type MemberRow = Selectable<TeamMembersTable>;

/** The account of a team, with what its reader is in it; null: no member. */
export type TeamRow = UserRow & {
  readonly own_role: TeamRole | null;
  readonly own_member_id: number | null;
  readonly members: number;
};

interface NewTeam {
  readonly name: string;
  readonly displayName: string;
  readonly group: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Makes the account of a team, with nothing in it. Throws `username_taken` where the name is another account's. */
export const insertTeam = (query: WriteQueries, { name, displayName, group, at }: NewTeam): Promise<number> =>
  insertUser(query, { ...plainUser, username: name, display_name: displayName, group, created_time: at, is_team: 1 });

/** Literally, as the indexes of teams and present members have it. */
const isTeam = sql<boolean>`users.is_team = 1`;
const isPresent = sql<boolean>`team_members.left_time = 0`;

const teams = (read: ReadQueries, readerId: number) =>
  read
    .selectFrom('users')
    .leftJoin('team_members', (on) =>
      on.onRef('team_members.team_id', '=', 'users.id').on('team_members.user_id', '=', readerId).on(isPresent),
    )
    .selectAll('users')
    .select(['team_members.role as own_role', 'team_members.id as own_member_id'])
    .select((eb) =>
      eb
        .selectFrom('team_members as each')
        .whereRef('each.team_id', '=', 'users.id')
        .where('each.left_time', '=', 0)
        .select(sql<number>`count(*)`.as('members'))
        .as('members'),
    )
    .where(isTeam)
    .where('users.status', '<>', userStatus.deleted)
    .$narrowType<{ members: number }>();

interface TeamFilter {
  readonly readerId: number;
  /** Also teams that the reader is no member of. */
  readonly all: boolean;
  readonly keyword: string;
}

/** Newest first, at most `searchMax`. */
export const listTeams = (read: ReadQueries, { readerId, all, keyword }: TeamFilter): Promise<TeamRow[]> => {
  const found = teams(read, readerId).orderBy('users.id', 'desc').limit(searchMax);
  const seen = all ? found : found.where('team_members.id', 'is not', null);
  if (keyword === '') return seen.execute();
  const id = idIn(keyword);
  return seen
    .where((eb) =>
      eb.or([
        contains(eb.ref('users.username'), keyword),
        contains(eb.ref('users.display_name'), keyword),
        ...(id === undefined ? [] : [eb('users.id', '=', id)]),
      ]),
    )
    .execute();
};

export const findTeam = (
  read: ReadQueries,
  { id, readerId }: { readonly id: number; readonly readerId: number },
): Promise<TeamRow | undefined> => teams(read, readerId).where('users.id', '=', id).executeTakeFirst();

/** Present members with their names, and with what their tokens of the team have spent; managers first, then by name. */
export const listMembers = (read: ReadQueries, teamId: number) =>
  read
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .leftJoin('tokens', (on) =>
      on.onRef('tokens.member_id', '=', 'team_members.id').on(sql<boolean>`tokens.member_id > 0`),
    )
    .select([
      'team_members.id',
      'team_members.user_id',
      'users.username',
      'users.display_name',
      'team_members.role',
      'team_members.joined_time',
      sql<number | string>`sum(case when tokens.deleted_time = 0 then 1 else 0 end)`.as('tokens'),
      sql<number | string | null>`sum(tokens.used)`.as('used'),
    ])
    .where('team_members.team_id', '=', teamId)
    .where(isPresent)
    .groupBy([
      'team_members.id',
      'team_members.user_id',
      'users.username',
      'users.display_name',
      'team_members.role',
      'team_members.joined_time',
    ])
    .orderBy('team_members.role')
    .orderBy('users.username')
    .execute();

/** The present member; undefined: the user is none. */
export const findMember = (
  read: ReadQueries,
  { teamId, userId }: { readonly teamId: number; readonly userId: number },
): Promise<MemberRow | undefined> =>
  read
    .selectFrom('team_members')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where(isPresent)
    .executeTakeFirst();

/** The teams that a user is in. */
export const listMemberships = (read: ReadQueries, userId: number): Promise<MemberRow[]> =>
  read.selectFrom('team_members').selectAll().where('user_id', '=', userId).where(isPresent).execute();

/** The mail addresses of the enabled managers of a team. */
export const listManagerMails = async (read: ReadQueries, teamId: number): Promise<readonly string[]> => {
  const rows = await read
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select('users.email')
    .where('team_members.team_id', '=', teamId)
    .where('team_members.role', '=', 'manager')
    .where(isPresent)
    .where('users.status', '=', userStatus.enabled)
    .where('users.email', '<>', '')
    .orderBy('users.email')
    .execute();
  return rows.map(({ email }) => email);
};

/** Makes a user a member, again if it was one. Returns the membership. */
export const putMember = async (
  trx: DatabaseTransaction,
  {
    teamId,
    userId,
    role: as,
    at,
  }: { readonly teamId: number; readonly userId: number; readonly role: TeamRole; readonly at: number },
): Promise<number> => {
  const { id } = await trx
    .insertInto('team_members')
    .values({ team_id: teamId, user_id: userId, role: as, joined_time: at, left_time: 0 })
    .onConflict((on) => on.columns(['team_id', 'user_id']).doUpdateSet({ role: as, joined_time: at, left_time: 0 }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

export const setMemberRole = async (trx: DatabaseTransaction, id: number, as: TeamRole): Promise<void> => {
  await trx.updateTable('team_members').set({ role: as }).where('id', '=', id).execute();
};

/** Disables the tokens that members made: the keys are known to them. */
const disableTokens = async (trx: DatabaseTransaction, memberIds: readonly number[]): Promise<void> => {
  if (memberIds.length === 0) return;
  await trx
    .updateTable('tokens')
    .set({ status: tokenStatus.disabled })
    .where('member_id', 'in', memberIds)
    .where(sql<boolean>`member_id > 0`)
    .where('deleted_time', '=', 0)
    .execute();
};

/** Ends a membership. Tokens that the member made stay with the team, disabled. */
export const endMembership = async (trx: DatabaseTransaction, id: number, at: number): Promise<void> => {
  await trx.updateTable('team_members').set({ left_time: at }).where('id', '=', id).execute();
  await disableTokens(trx, [id]);
};

/** Disables the tokens of teams that a user made who is banned. Returns the teams. */
export const disableTeamTokens = async (trx: DatabaseTransaction, userId: number): Promise<readonly number[]> => {
  const members = await listMemberships(trx, userId);
  await disableTokens(
    trx,
    members.map(({ id }) => id),
  );
  return members.map(({ team_id: teamId }) => teamId);
};

/** Takes a user who is deleted out of all teams, and returns them. */
export const leaveTeams = async (trx: DatabaseTransaction, userId: number, at: number): Promise<readonly number[]> => {
  const members = await listMemberships(trx, userId);
  for (const { id } of members) await endMembership(trx, id, at);
  return members.map(({ team_id: teamId }) => teamId);
};
