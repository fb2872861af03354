import type { TeamRole } from '@weir/contract/teams/team-roles';
import type { Generated } from 'kysely';

/** Who is in which team, and was: a row stays, as tokens and budgets name it. */
export interface TeamMembersTable {
  id: Generated<number>;
  /** The account of the team. */
  team_id: number;
  user_id: number;
  role: TeamRole;
  /** Unix seconds, of the latest time. */
  joined_time: number;
  /** 0: is a member. */
  left_time: number;
}
