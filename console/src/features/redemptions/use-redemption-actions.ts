import { useQueryClient } from '@tanstack/react-query';
import type { Redemption } from '@weir/contract/redemptions';
import { useMemo } from 'react';
import { confirmRemoval, report } from '../../components/list/row-actions.ts';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { offerUndo } from '../../lib/undo.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { oppositeOf, remove, setStatus } from './queries.ts';
import type { SwitchStatus } from './queries.ts';
import type { RedemptionActions } from './redemption-entries.ts';

export const undoKey = ({ id }: Redemption): string => `redemption:${id}`;

/** The actions of a row; `onRefused` receives a text that could not be copied. */
export const useRedemptionActions = (onRefused: (text: string) => void): RedemptionActions => {
  const client = useQueryClient();
  return useMemo(() => {
    const change = async (code: Redemption, status: SwitchStatus): Promise<void> => {
      if (await report(setStatus(client, code, status))) {
        offerUndo(undoKey(code), () => void change(code, oppositeOf(status)));
      }
    };
    const copy = async (text: string): Promise<void> => {
      if (!(await copyAloud(text))) onRefused(text);
    };
    return {
      copy: (text) => void copy(text),
      edit: ({ id }) => void navigate(`/redemption/edit/${id}`, { keepSearch: true }),
      flip: (code) => void change(code, oppositeOf(code.status)),
      remove: (code) =>
        void confirmRemoval(
          {
            title: m.redemption_delete_title({ name: code.name }),
            text: m.redemption_delete_text(),
            verb: m.redemption_delete(),
          },
          () => remove(client, code),
        ),
    };
  }, [client, onRefused]);
};
