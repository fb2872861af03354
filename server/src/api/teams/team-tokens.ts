import { AppError } from '../../errors.ts';
import { findToken } from '../../store/tokens.ts';
import type { TokenAuthority } from '../keys/token-authority.ts';
import { lockTeam, manages, readTeam } from './team-access.ts';

/** Managers and administrators, over all tokens of a team; members, over those that they made. */
export const teamTokens: TokenAuthority = {
  check: async (read, id, actor) => {
    const team = await readTeam(read, id, actor);
    return { memberId: team.own_member_id ?? undefined, seesAll: manages(actor, team) };
  },
  checkChange: async (trx, { ownerId: teamId }, { actor, tokenId }) => {
    const team = await lockTeam(trx, teamId, actor);
    const memberId = team.own_member_id ?? undefined;
    if (tokenId === undefined || manages(actor, team)) return memberId;
    const token = await findToken(trx, { id: tokenId, userId: teamId });
    if (token === undefined || token.member_id !== memberId) throw new AppError('not_found');
    return memberId;
  },
};
