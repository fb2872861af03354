import type { Team } from '@weir/contract/teams/teams';
import { createdColumn, idColumn, moneyColumn, textColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Badge } from '../../components/text/badge.tsx';
import { Money } from '../../components/text/money.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { roleTexts } from './team-texts.ts';

const Role = ({ role }: Pick<Team, 'role'>) => {
  const t = useT();
  return <Badge tone={role === 'manager' ? 'ok' : 'off'}>{t(roleTexts[role])}</Badge>;
};

export const teamColumns: readonly Column<Team>[] = [
  idColumn({ spare: true }),
  textColumn({
    id: 'name',
    title: m.team_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    strong: true,
    textOf: ({ name }) => name,
  }),
  textColumn({ id: 'display-name', title: m.user_display_name, from: 1024, textOf: ({ display_name: name }) => name }),
  {
    id: 'role',
    title: m.team_own_role,
    card: 'status',
    render: ({ role }) => <Role role={role} />,
    sortBy: ({ role }) => role,
    text: ({ role }) => roleTexts[role](),
    raw: ['role', ({ role }) => role],
  },
  {
    id: 'members',
    title: m.team_members,
    end: true,
    from: 1024,
    render: ({ members }) => <span className="tabular-nums">{members}</span>,
    sortBy: ({ members }) => members,
    text: ({ members }) => members,
  },
  moneyColumn({
    id: 'balance',
    title: m.team_balance,
    card: 'value',
    raw: ['quota', ({ quota }) => quota],
  }),
  moneyColumn({
    id: 'used',
    title: m.team_used,
    card: 'value',
    render: ({ used_quota: used }) => <Money quota={used} fine />,
    raw: ['used_quota', ({ used_quota: used }) => used],
  }),
  textColumn({ id: 'group', title: m.team_group, from: 1024, textOf: ({ group }) => group }),
  createdColumn({ spare: true }),
];
