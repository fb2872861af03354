import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { redemptionStatus } from '@weir/contract/redemptions';
import type { Redemption } from '@weir/contract/redemptions';
import { useMemo } from 'react';
import { confirm } from '../../components/overlay/overlays.ts';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { m } from '../../paraglide/messages.js';
import { remove, setStatus } from './queries.ts';
import type { RedemptionActions } from './redemption-entries.ts';

export const undoKey = ({ id }: Redemption): string => `redemption:${id}`;

/** The actions of a row; `onRefused` takes a text that the clipboard refused. */
export const useRedemptionActions = (onRefused: (text: string) => void): RedemptionActions => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMemo(() => {
    const change = async (code: Redemption, status: 1 | 2): Promise<void> => {
      try {
        await setStatus(client, code, status);
        toast('success', m.operation_done());
        offerUndo(undoKey(code), () => void change(code, status === 1 ? 2 : 1));
      } catch (error) {
        toastFailure(error);
      }
    };
    const ask = async (code: Redemption): Promise<void> => {
      const go = await confirm({
        title: m.redemption_delete_title({ name: code.name }),
        text: m.redemption_delete_text(),
        verb: m.redemption_delete(),
        danger: true,
      });
      if (!go) return;
      try {
        await remove(client, code);
        toast('success', m.operation_done());
      } catch (error) {
        toastFailure(error);
      }
    };
    const copy = async (text: string): Promise<void> => {
      if (!(await copyAloud(text))) onRefused(text);
    };
    return {
      copy: (text) => void copy(text),
      edit: ({ id }) => void navigate({ to: '/redemption/edit/$id', params: { id: String(id) }, search: true }),
      flip: (code) => void change(code, code.status === redemptionStatus.unused ? 2 : 1),
      remove: (code) => void ask(code),
    };
  }, [client, navigate, onRefused]);
};
