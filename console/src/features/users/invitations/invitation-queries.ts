import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@weir/contract/endpoint';
import { createInvitation, deleteInvitation, listInvitations } from '@weir/contract/invitations/invitations';
import type { Invitation } from '@weir/contract/invitations/invitations';
import { listTeams } from '@weir/contract/teams/teams';
import { call } from '../../../lib/api/call.ts';
import { patchRow } from '../../../lib/lists/paged-list.ts';

const key = ['invitations'] as const;

/** The query of the list, which is whole. */
export const invitationsList = () => ({
  key: [...key],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<Invitation[]> => call(listInvitations, { signal }),
});

/** The teams that an invitation may lead to. */
export const teamChoicesQuery = queryOptions({
  queryKey: ['teams', 'choices'],
  queryFn: ({ signal }) => call(listTeams, { query: { keyword: '' }, signal }),
});

export const saveInvitation = async (
  client: QueryClient,
  body: BodyInput<typeof createInvitation>,
): Promise<Invitation> => {
  const made = await call(createInvitation, { body });
  await client.invalidateQueries({ queryKey: key });
  return made;
};

export const removeInvitation = async (client: QueryClient, { id }: Invitation): Promise<void> => {
  await call(deleteInvitation, { params: { id } });
  patchRow<Invitation>(client, key, id, { deleted: true });
};

/** The address that opens an account. */
export const linkOf = ({ code }: Pick<Invitation, 'code'>): string =>
  `${location.origin}/register?aff=${encodeURIComponent(code)}`;
