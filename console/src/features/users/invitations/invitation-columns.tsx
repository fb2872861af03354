import type { Invitation } from '@weir/contract/invitations/invitations';
import { idColumn, textColumn, timeColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { Badge } from '../../../components/text/badge.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const endTexts = {
  '': m.invitation_open,
  used: m.invitation_used,
  expired: m.invitation_expired,
  deleted: m.invitation_deleted,
} as const;

const State = ({ end }: Pick<Invitation, 'end'>) => {
  const t = useT();
  return <Badge tone={end === '' ? 'ok' : 'off'}>{t(endTexts[end])}</Badge>;
};

const usesText = ({ uses, uses_max: max }: Invitation): string => `${uses} / ${max}`;

export const invitationColumns: readonly Column<Invitation>[] = [
  idColumn({ spare: true }),
  textColumn({
    id: 'name',
    title: m.invitation_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    strong: true,
    textOf: ({ name }) => name,
  }),
  {
    id: 'state',
    title: m.column_status,
    card: 'status',
    render: ({ end }) => <State end={end} />,
    sortBy: ({ end }) => end,
    text: ({ end }) => endTexts[end](),
    raw: ['end', ({ end }) => end],
  },
  textColumn({ id: 'group', title: m.user_group, card: 'value', textOf: ({ group }) => group }),
  textColumn({ id: 'team', title: m.invitation_team, from: 1024, textOf: ({ team }) => team }),
  textColumn({ id: 'preset', title: m.invitation_preset, from: 1024, textOf: ({ preset }) => preset }),
  {
    id: 'uses',
    title: m.invitation_uses,
    end: true,
    card: 'value',
    render: (invitation) => <span className="tabular-nums">{usesText(invitation)}</span>,
    sortBy: ({ uses }) => uses,
    text: usesText,
    raw: ['uses', ({ uses }) => uses],
  },
  timeColumn({
    id: 'expires',
    title: m.invitation_expires,
    raw: ['expires_at', ({ expires_at: at }) => at],
  }),
];
