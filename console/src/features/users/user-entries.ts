import { outranks, role } from '@weir/contract/roles';
import { userStatus } from '@weir/contract/users';
import type { User } from '@weir/contract/users';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { hasCapabilities } from '../../lib/api/capabilities.ts';
import { currentStatus } from '../../lib/api/status.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { UserAction } from './queries.ts';
import { fixedReason } from './user-standing.ts';

/** The actions of a row of the user list. */
export interface UserActions {
  readonly edit: (user: User) => void;
  readonly act: (user: User, action: UserAction) => void;
  readonly remove: (user: User) => void;
}

interface EntryContext {
  readonly actions: UserActions;
  /** Role of the signed-in user. */
  readonly mine: number;
  readonly t: Translate;
}

/** The actions of the specification; if none is allowed, they are listed under the reason. */
export const userEntries = (user: User, { actions, mine, t }: EntryContext): readonly MenuEntry[] => {
  const reason = fixedReason(mine, user);
  const disabled = reason !== undefined;
  const enabled = user.status === userStatus.enabled;
  const isAdmin = user.role >= role.admin;
  const action = (text: string, icon: 'arrow-up' | 'arrow-down' | 'pause' | 'play', name: UserAction): MenuEntry => ({
    kind: 'action',
    sends: true,
    icon,
    text,
    disabled,
    run: () => actions.act(user, name),
  });
  const rank = isAdmin
    ? action(t(m.user_demote), 'arrow-down', 'demote')
    : action(t(m.user_promote), 'arrow-up', 'promote');
  const manage: readonly MenuEntry[] = [
    // Only root changes ranks (specification §6).
    ...(mine >= role.root ? [rank] : []),
    action(t(enabled ? m.disable : m.enable), enabled ? 'pause' : 'play', enabled ? 'disable' : 'enable'),
    {
      kind: 'action',
      sends: true,
      icon: 'trash',
      text: t(m.user_delete),
      danger: true,
      disabled,
      run: () => actions.remove(user),
    },
  ];
  return [
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(user) },
    {
      kind: 'link',
      icon: 'log',
      text: t(m.user_logs),
      href: `/log?range=all&username=${encodeURIComponent(user.username)}`,
    },
    ...(hasCapabilities(currentStatus())
      ? ([{ kind: 'link', icon: 'calendar', text: t(m.statement_title), href: `/statement?user=${user.id}` }] as const)
      : []),
    ...(hasCapabilities(currentStatus()) && outranks(mine, user.role)
      ? ([
          { kind: 'link', icon: 'key', text: t(m.user_manage_keys), href: `/user/tokens/${user.id}` },
          { kind: 'link', icon: 'wallet', text: t(m.budget_add), href: `/budget/add?scope=user&subject=${user.id}` },
        ] as const)
      : []),
    { kind: 'line' },
    ...(reason === undefined ? manage : [{ kind: 'group' as const, text: t(reason), entries: manage }]),
  ];
};
