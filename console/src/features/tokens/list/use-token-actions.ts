import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useMemo } from 'react';
import { confirmRemoval, report } from '../../../components/list/row-actions.ts';
import { confirm } from '../../../components/overlay/overlays.ts';
import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { prefillForm } from '../../../lib/hooks/use-draft.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { oppositeOf, remove, setStatus } from '../queries.ts';
import type { SwitchStatus } from '../queries.ts';
import type { TokenActions } from './token-entries.ts';
import { isSpent } from '../token-status.ts';
import { valuesOf } from '../form/token-values.ts';

export const undoKey = (token: Token): string => `token:${token.id}`;

/** The actions of a token row; `onRefused` receives a text that could not be copied. */
export const useTokenActions = (onRefused: (text: string) => void): TokenActions => {
  const client = useQueryClient();
  return useMemo(() => {
    const edit = (token: Token): void => void navigate(`/token/edit/${token.id}`, { keepSearch: true });
    const duplicate = (token: Token): void => {
      prefillForm('token', valuesOf({ ...token, name: m.token_copy_of({ name: token.name }) }));
      void navigate('/token/add', { keepSearch: true });
    };
    const offerEdit = async (token: Token): Promise<void> => {
      const go = await confirm({
        title: m.token_spent_title({ name: token.name }),
        text: m.token_spent_text(),
        verb: m.token_spent_verb(),
      });
      if (go) edit(token);
    };
    const change = async (token: Token, status: SwitchStatus): Promise<void> => {
      if (await report(setStatus(client, token, status))) {
        offerUndo(undoKey(token), () => void change({ ...token, status }, oppositeOf(status)));
      }
    };
    const copy = async (text: string): Promise<void> => {
      if (!(await copyAloud(text))) onRefused(text);
    };
    return {
      edit,
      duplicate,
      copy: (text) => void copy(text),
      open: (address) => void window.open(address, '_blank', 'noopener'),
      flip: (token) => void (isSpent(token) ? offerEdit(token) : change(token, oppositeOf(token.status))),
      remove: (token) =>
        confirmRemoval(
          { title: m.token_delete_title({ name: token.name }), text: m.token_delete_text(), verb: m.token_delete() },
          () => remove(client, token),
        ),
    };
  }, [client, onRefused]);
};
