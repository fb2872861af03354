import { AppError } from '../../errors.ts';
import { findMember } from '../../store/teams/teams.ts';
import { findToken } from '../../store/tokens.ts';
import type { TokenAuthority } from '../keys/token-authority.ts';
import { lockTeam, manages, readTeam } from './team-access.ts';

/** Managers and administrators, over all tokens of a team; members, over those that they made. */
export const teamTokens: TokenAuthority = {
  check: async (read, id, actor) => {
    const team = await readTeam(read, id, actor);
    const member = await findMember(read, { teamId: id, userId: actor.user.id });
    return { memberId: member?.id, seesAll: manages(actor, team) };
  },
  checkChange: async (trx, { ownerId: teamId }, { actor, tokenId }) => {
    const team = await lockTeam(trx, teamId, actor);
    const memberId = (await findMember(trx, { teamId, userId: actor.user.id }))?.id;
    if (tokenId === undefined || manages(actor, team)) return memberId;
    const token = await findToken(trx, { id: tokenId, userId: teamId });
    if (token === undefined || token.member_id !== memberId) throw new AppError('not_found');
    return memberId;
  },
};
