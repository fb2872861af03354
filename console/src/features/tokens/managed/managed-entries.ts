import { tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { overlapEnd } from '../overlap.ts';

/** What an administrator does with a token of a user, and a member with one of a team. */
export interface ManagedActions {
  readonly edit: (token: Token) => void;
  readonly roll: (token: Token) => void;
  readonly endOverlap: (token: Token) => void;
  readonly flip: (token: Token) => void;
  readonly remove: (token: Token) => void;
  readonly copy: (token: Token) => void;
}

/** The key is not masked: a member of a team made the token. */
const isWhole = ({ key }: Token): boolean => !key.includes('…');

/** `logs`: address of the token's records. */
export const managedEntries = (
  token: Token,
  actions: ManagedActions & { readonly logs: string },
  t: Translate,
): readonly MenuEntry[] => {
  const enabled = token.status === tokenStatus.enabled;
  return [
    ...(isWhole(token)
      ? ([{ kind: 'action', icon: 'copy', text: t(m.token_copy), run: () => actions.copy(token) }] as const)
      : []),
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(token) },
    overlapEnd(token) === undefined
      ? { kind: 'action', icon: 'refresh', sends: true, text: t(m.token_roll), run: () => actions.roll(token) }
      : {
          kind: 'action',
          icon: 'refresh',
          sends: true,
          text: t(m.token_overlap_end),
          run: () => actions.endOverlap(token),
        },
    {
      kind: 'action',
      icon: enabled ? 'pause' : 'play',
      sends: true,
      text: t(enabled ? m.disable : m.enable),
      run: () => actions.flip(token),
    },
    { kind: 'link', icon: 'log', text: t(m.token_logs), href: actions.logs },
    { kind: 'line' },
    {
      kind: 'action',
      icon: 'trash',
      sends: true,
      text: t(m.token_delete),
      danger: true,
      run: () => actions.remove(token),
    },
  ];
};
