import { redemptionStatus } from '@weir/contract/redemptions';
import type { Redemption } from '@weir/contract/redemptions';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { isUsed } from './redemption-status.ts';

/** The actions of a row of the list of codes. */
export interface RedemptionActions {
  readonly copy: (text: string) => void;
  readonly edit: (code: Redemption) => void;
  readonly flip: (code: Redemption) => void;
  readonly remove: (code: Redemption) => void;
}

/** The actions of the specification: copy, edit, switch (not once it is used), delete. */
export const redemptionEntries = (code: Redemption, actions: RedemptionActions, t: Translate): readonly MenuEntry[] => {
  const enabled = code.status === redemptionStatus.unused;
  const flip: MenuEntry = {
    kind: 'action',
    sends: true,
    icon: enabled ? 'pause' : 'play',
    text: t(enabled ? m.disable : m.enable),
    disabled: isUsed(code),
    run: () => actions.flip(code),
  };
  return [
    { kind: 'action', icon: 'copy', text: t(m.redemption_copy), keys: 'C', run: () => actions.copy(code.key) },
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(code) },
    isUsed(code) ? { kind: 'group', text: t(m.redemption_used_fixed), entries: [flip] } : flip,
    { kind: 'line' },
    {
      kind: 'action',
      sends: true,
      icon: 'trash',
      text: t(m.redemption_delete),
      danger: true,
      run: () => actions.remove(code),
    },
  ];
};
