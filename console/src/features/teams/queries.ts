import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@weir/contract/endpoint';
import type { TeamRole } from '@weir/contract/teams/team-roles';
import {
  addTeamMember,
  createTeam,
  getTeam,
  listTeams,
  redeemForTeam,
  removeTeamMember,
  updateTeamMember,
} from '@weir/contract/teams/teams';
import type { Team, TeamMember, TeamWithMembers } from '@weir/contract/teams/teams';
import { call } from '../../lib/api/call.ts';
import type { TeamsSearch } from './teams-search.ts';

const key = ['teams'] as const;

/** The query of the list, which is whole. */
export const teamsList = ({ q }: Pick<TeamsSearch, 'q'>) => ({
  key: [...key, q ?? ''],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<Team[]> =>
    call(listTeams, { query: { keyword: q ?? '' }, signal }),
});

export const teamQuery = (id: number) =>
  queryOptions({
    queryKey: ['team', id],
    queryFn: ({ signal }) => call(getTeam, { params: { id }, signal }),
    staleTime: 0,
  });

/** Shows the team as it is now, and reads the list again. */
const keep = async (client: QueryClient, team: TeamWithMembers): Promise<void> => {
  client.setQueryData(teamQuery(team.id).queryKey, team);
  await client.invalidateQueries({ queryKey: key });
};

export const saveNewTeam = async (
  client: QueryClient,
  body: BodyInput<typeof createTeam>,
): Promise<TeamWithMembers> => {
  const made = await call(createTeam, { body });
  await keep(client, made);
  return made;
};

export const addMember = async (
  client: QueryClient,
  { id }: Pick<Team, 'id'>,
  body: BodyInput<typeof addTeamMember>,
): Promise<void> => keep(client, await call(addTeamMember, { params: { id }, body }));

export const setRole = async (
  client: QueryClient,
  { id }: Pick<Team, 'id'>,
  { user_id: user }: Pick<TeamMember, 'user_id'>,
  role: TeamRole,
): Promise<void> => keep(client, await call(updateTeamMember, { params: { id }, body: { user_id: user, role } }));

export const removeMember = async (client: QueryClient, { id }: Pick<Team, 'id'>, user: number): Promise<void> => {
  await call(removeTeamMember, { params: { id, user } });
  await Promise.all([
    client.invalidateQueries({ queryKey: ['team', id] }),
    client.invalidateQueries({ queryKey: key }),
  ]);
};

/** Resolves to the quota that the code added. */
export const redeemFor = async (client: QueryClient, { id }: Pick<Team, 'id'>, code: string): Promise<number> => {
  const added = await call(redeemForTeam, { params: { id }, body: { key: code } });
  await client.invalidateQueries({ queryKey: ['team', id] });
  return added;
};
