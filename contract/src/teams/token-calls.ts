import * as ofUsers from '../managed-tokens.ts';
import * as ofTeams from './team-tokens.ts';

/** The calls about tokens of another account: of a user, for administrators, and of a team, for its members. */
export const tokenCalls = {
  user: {
    list: ofUsers.listUserTokens,
    get: ofUsers.getUserToken,
    create: ofUsers.createUserToken,
    update: ofUsers.updateUserToken,
    remove: ofUsers.deleteUserToken,
    roll: ofUsers.rollUserToken,
    endOverlap: ofUsers.endUserTokenOverlap,
  },
  team: {
    list: ofTeams.listTeamTokens,
    get: ofTeams.getTeamToken,
    create: ofTeams.createTeamToken,
    update: ofTeams.updateTeamToken,
    remove: ofTeams.deleteTeamToken,
    roll: ofTeams.rollTeamToken,
    endOverlap: ofTeams.endTeamTokenOverlap,
  },
} as const;
