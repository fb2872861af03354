import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@weir/contract/users';
import { useMemo } from 'react';
import { confirmRemoval, report } from '../../components/list/row-actions.ts';
import { offerUndo } from '../../lib/undo.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { act, remove } from './queries.ts';
import type { UserAction } from './queries.ts';
import type { UserActions } from './user-entries.ts';

/** Key of the offer to undo an action, beside the role or the status. */
export const undoKey = ({ id }: User, part: 'role' | 'status'): string => `user:${id}:${part}`;

const reverse = { enable: 'disable', disable: 'enable', promote: 'demote', demote: 'promote' } as const;
const partOf = (action: UserAction) => (action === 'enable' || action === 'disable' ? 'status' : 'role');

/** The actions of a user row. */
export const useUserActions = (): UserActions => {
  const client = useQueryClient();
  return useMemo(() => {
    const change = async (user: User, action: UserAction): Promise<void> => {
      if (await report(act(client, user, action))) {
        offerUndo(undoKey(user, partOf(action)), () => void change(user, reverse[action]));
      }
    };
    return {
      edit: ({ id }) => void navigate(`/user/edit/${id}`, { keepSearch: true }),
      act: (user, action) => void change(user, action),
      remove: (user) =>
        void confirmRemoval(
          { title: m.user_delete_title({ name: user.username }), text: m.user_delete_text(), verb: m.user_delete() },
          () => remove(client, user),
        ),
    };
  }, [client]);
};
