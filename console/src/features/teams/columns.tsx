import type { Team } from '@weir/contract/teams/teams';
import { idColumn, textColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Badge } from '../../components/text/badge.tsx';
import { Money } from '../../components/text/money.tsx';
import { Time } from '../../components/text/time.tsx';
import { currentStatus, quotaDisplay } from '../../lib/api/status.ts';
import { formatQuota, formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { roleTexts } from './team-texts.ts';

const money = (quota: number): string => formatQuota(quota, quotaDisplay(currentStatus()));

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
  {
    id: 'balance',
    title: m.team_balance,
    end: true,
    card: 'value',
    render: ({ quota }) => <Money quota={quota} />,
    sortBy: ({ quota }) => quota,
    text: ({ quota }) => money(quota),
    raw: ['quota', ({ quota }) => quota],
  },
  {
    id: 'used',
    title: m.team_used,
    end: true,
    card: 'value',
    render: ({ used_quota: used }) => <Money quota={used} fine />,
    sortBy: ({ used_quota: used }) => used,
    text: ({ used_quota: used }) => money(used),
    raw: ['used_quota', ({ used_quota: used }) => used],
  },
  textColumn({ id: 'group', title: m.team_group, from: 1024, textOf: ({ group }) => group }),
  {
    id: 'created',
    title: m.column_created,
    spare: true,
    render: ({ created_time: at }) => <Time unixSeconds={at} />,
    sortBy: ({ created_time: at }) => at,
    text: ({ created_time: at }) => formatTime(at),
    raw: ['created_time', ({ created_time: at }) => at],
  },
];
