import { useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '@weir/contract/invitations/invitations';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { confirmRemoval } from '../../../components/list/row-actions.ts';
import { useListState } from '../../../components/list/use-list-state.ts';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { invitationColumns } from './invitation-columns.tsx';
import { invitationsList, linkOf, removeInvitation } from './invitation-queries.ts';
import { invitationsSearch } from './invitations-search.ts';
import type { InvitationsSearch } from './invitations-search.ts';

const texts = {
  title: m.invitation_title,
  search: m.invitation_search,
  empty: [m.invitation_empty_title, m.invitation_empty_text],
  noMatch: m.invitation_none_title,
} as const;

const source = {
  read: invitationsSearch,
  pages: invitationsList,
  keepOf: ({ q }: InvitationsSearch) => {
    const wanted = q?.toLowerCase();
    if (wanted === undefined) return undefined;
    return ({ name, group, team, preset }: Invitation) =>
      [name, group, team, preset].some((text) => text.toLowerCase().includes(wanted));
  },
};

/** `/invitation` */
export const InvitationsScreen = () => (
  <ListUnderSheet path="/invitation">
    <InvitationList />
  </ListUnderSheet>
);

const copyLink = (invitation: Invitation): void => void copyAloud(linkOf(invitation), m.invitation_copied());

const InvitationList = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  const remove = (invitation: Invitation): void =>
    void confirmRemoval(
      {
        title: m.invitation_delete_title({ name: invitation.name }),
        text: m.invitation_delete_text(),
        verb: m.invitation_delete(),
      },
      () => removeInvitation(client, invitation),
    );
  const entriesOf = (invitation: Invitation): readonly MenuEntry[] => [
    { kind: 'action', icon: 'copy', text: t(m.invitation_copy), run: () => copyLink(invitation) },
    { kind: 'line' },
    {
      kind: 'action',
      sends: true,
      icon: 'trash',
      text: t(m.invitation_delete),
      danger: true,
      run: () => remove(invitation),
    },
  ];
  return (
    <ListScreen
      name="invitations"
      icon="gift"
      texts={texts}
      state={state}
      columns={invitationColumns}
      add={{ href: '/invitation/add', text: m.invitation_add }}
      nameOf={({ name }) => name}
      onOpen={copyLink}
      entriesOf={entriesOf}
    />
  );
};
