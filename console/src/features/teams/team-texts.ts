import type { TeamRole } from '@weir/contract/teams/team-roles';
import { can } from '@weir/contract/roles';
import { currentUser } from '../../lib/api/session.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** Empty: an administrator who is no member. */
export const roleTexts: Readonly<Record<TeamRole | '', Message>> = {
  manager: m.team_role_manager,
  member: m.team_role_member,
  '': m.team_role_none,
};

/** Whether the signed-in user may change the team: administrators may change every one. */
export const manages = ({ role }: { readonly role: TeamRole | '' }): boolean =>
  role === 'manager' || can(currentUser()?.role, 'admin');
