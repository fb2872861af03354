import { outranks, role } from '@weir/contract/roles';
import { userStatus } from '@weir/contract/users';
import type { User } from '@weir/contract/users';
import { defaultGroup } from '@weir/contract/groups';
import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { splitList } from '../../lib/format/format.ts';

/** The groups of an account as display text; the wire joins them with commas, and none is the default one. */
export const groupsOf = (group: string | null | undefined): string => splitList(group).join(', ') || defaultGroup;

/** What an account is: a team, or a person of a role. */
export const rankOf = ({ role: number, team }: Pick<User, 'role' | 'team'>): Message =>
  team === true ? m.user_role_team : roleOf(number);

/** The label of a role; numbers that are none of the three are an unknown identity (specification §4). */
export const roleOf = (number: number): Message => {
  switch (number) {
    case role.user:
      return m.user_role_ordinary;
    case role.admin:
      return m.user_role_admin;
    case role.root:
      return m.user_role_root;
    default:
      return m.user_role_unknown;
  }
};

/** Label and tone of an account's status; other numbers are unknown, not an error. */
export const statusOf = (status: number): readonly [text: Message, tone: Tone] => {
  switch (status) {
    case userStatus.enabled:
      return [m.user_status_active, 'ok'];
    case userStatus.disabled:
      return [m.user_status_banned, 'bad'];
    default:
      return [m.user_status_unknown, 'off'];
  }
};

/** Why a user of this role cannot change the account; undefined: the user can. */
export const fixedReason = (mine: number, { role: theirs }: Pick<User, 'role'>): Message | undefined => {
  if (theirs >= role.root) return m.user_root_fixed;
  return outranks(mine, theirs) ? undefined : m.user_rank_fixed;
};
