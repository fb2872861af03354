import { userStatus } from '@weir/contract/users';
import { insertFirstToken, tokenByPreset } from '../../billing/credits/first-token.ts';
import type { NewAccount } from '../../billing/credits/open-account.ts';
import { AppError } from '../../errors.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import { countInvitationUse, findInvitationByDigest, type InvitationRow } from '../../store/invitations/invitations.ts';
import { findKeyPreset, type KeyPresetRow } from '../../store/invitations/key-presets.ts';
import { putMember } from '../../store/teams/teams.ts';
import { findUser } from '../../store/users/users.ts';

/** An invitation that a registration names. */
export interface Invited {
  readonly invitation: InvitationRow;
  readonly preset: KeyPresetRow | undefined;
}

/** What a code invites to; undefined: it is no invitation, but at most the invite code of a user. */
export const findInvited = async (read: ReadQueries, secrets: Secrets, code: string): Promise<Invited | undefined> => {
  if (code === '') return undefined;
  const invitation = await findInvitationByDigest(read, secrets.digest(code));
  if (invitation === undefined) return undefined;
  return { invitation, preset: await findKeyPreset(read, invitation.preset_id) };
};

/** Group and first token of the account. A preset of a team is that of the team's token. */
export const invitedAccount = (
  { invitation, preset }: Invited,
  at: number,
): Pick<NewAccount, 'group' | 'firstToken'> => ({
  group: invitation.account_group,
  ...(preset === undefined || invitation.team_id > 0 ? {} : { firstToken: tokenByPreset(preset, at) }),
});

/** Uses the invitation up, and makes the new account a member of its team, with a token. Throws `invitation_over`. */
export const acceptInvitation = async (
  trx: DatabaseTransaction,
  secrets: Secrets,
  { invitation: { id, team_id: teamId }, preset }: Invited,
  { userId, at }: { readonly userId: number; readonly at: number },
): Promise<void> => {
  if (!(await countInvitationUse(trx, id, at))) throw new AppError('invitation_over');
  if (teamId === 0) return;
  const team = await findUser(trx, teamId);
  if (team?.is_team !== 1 || team.status !== userStatus.enabled) throw new AppError('invitation_over');
  const memberId = await putMember(trx, { teamId, userId, role: 'member', at });
  if (preset !== undefined)
    await insertFirstToken(trx, secrets, tokenByPreset(preset, at), { userId: teamId, memberId, at });
};
