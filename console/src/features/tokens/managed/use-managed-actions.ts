import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useMemo } from 'react';
import { confirmRemoval, report } from '../../../components/list/row-actions.ts';
import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { m } from '../../../paraglide/messages.js';
import { undoKey } from '../list/use-token-actions.ts';
import { oppositeOf } from '../queries.ts';
import type { SwitchStatus } from '../queries.ts';
import { isSpent } from '../token-status.ts';
import type { ManagedActions } from './managed-entries.ts';
import { endOverlapFor, listPathOf, removeFor, setStatusFor } from './managed-queries.ts';
import type { TokenOwner } from './managed-queries.ts';

/** The actions of a row; `onRoll` opens the dialog that rolls a key. */
export const useManagedActions = (owner: TokenOwner, onRoll: (token: Token) => void): ManagedActions => {
  const client = useQueryClient();
  return useMemo(() => {
    const edit = ({ id }: Token): void => void navigate(`${listPathOf(owner)}/edit/${id}`, { keepSearch: true });
    const change = async (token: Token, status: SwitchStatus): Promise<void> => {
      if (await report(setStatusFor(client, owner, token, status)))
        offerUndo(undoKey(token), () => void change({ ...token, status }, oppositeOf(status)));
    };
    return {
      edit,
      roll: onRoll,
      copy: ({ key }) => void copyAloud(`sk-${key}`),
      endOverlap: (token) => void report(endOverlapFor(client, owner, token)),
      // The form of a spent token changes the cause, and enables it.
      flip: (token) => (isSpent(token) ? edit(token) : void change(token, oppositeOf(token.status))),
      remove: (token) =>
        void confirmRemoval(
          { title: m.token_delete_title({ name: token.name }), text: m.token_delete_text(), verb: m.token_delete() },
          () => removeFor(client, owner, token),
        ),
    };
  }, [client, owner, onRoll]);
};
