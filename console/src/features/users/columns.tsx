import type { User } from '@weir/contract/users';
import { Badge } from '../../components/text/badge.tsx';
import { idColumn, moneyColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Undo } from '../../components/overlay/undo.tsx';
import { abbreviate, cutName } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { groupsOf, rankOf, statusOf } from './user-standing.ts';
import { undoKey } from './use-user-actions.ts';

const Name = ({ user: { username, display_name: displayName, email } }: { readonly user: User }) => (
  <span className="flex min-w-0 items-baseline gap-2">
    <span className="shrink-0 font-medium" title={[username, email].filter(Boolean).join(' · ')}>
      {cutName(username)}
    </span>
    {displayName !== '' && displayName !== username && (
      <span className="truncate text-13 font-normal text-mute" title={displayName}>
        {displayName}
      </span>
    )}
  </span>
);

const Role = ({ user }: { readonly user: User }) => {
  const t = useT();
  return (
    <>
      {t(rankOf(user))}
      <Undo of={undoKey(user, 'role')} />
    </>
  );
};

const Status = ({ user }: { readonly user: User }) => {
  const t = useT();
  const [text, tone] = statusOf(user.status);
  return (
    <>
      <Badge tone={tone}>{t(text)}</Badge>
      <Undo of={undoKey(user, 'status')} />
    </>
  );
};

export const userColumns: readonly Column<User>[] = [
  idColumn({ from: 1024 }),
  {
    id: 'username',
    title: m.user_username,
    fixed: true,
    card: 'title',
    className: 'max-w-64 max-lg:max-w-48',
    render: (user) => <Name user={user} />,
    sortBy: ({ username }) => username,
    text: ({ username }) => username,
  },
  {
    id: 'group',
    from: 1024,
    title: m.user_group,
    card: 'value',
    render: ({ group }) => groupsOf(group),
    sortBy: ({ group }) => groupsOf(group),
    text: ({ group }) => groupsOf(group),
  },
  moneyColumn({
    id: 'quota',
    title: m.user_balance,
    card: 'value',
    raw: ['quota', ({ quota }) => quota],
  }),
  moneyColumn({
    id: 'used',
    from: 1024,
    title: m.user_used,
    card: 'value',
    raw: ['used_quota', ({ used_quota: used }) => used],
  }),
  {
    id: 'requests',
    from: 1280,
    title: m.user_requests,
    end: true,
    render: ({ request_count: count }) => (
      <span className="tabular-nums" title={String(count)}>
        {abbreviate(count)}
      </span>
    ),
    sortBy: ({ request_count: count }) => count,
    text: ({ request_count: count }) => count,
  },
  {
    id: 'role',
    title: m.user_role,
    card: 'status',
    render: (user) => <Role user={user} />,
    sortBy: ({ role }) => role,
    text: (user) => rankOf(user)(),
    raw: ['role', ({ role }) => role],
  },
  {
    id: 'status',
    title: m.column_status,
    card: 'status',
    render: (user) => <Status user={user} />,
    sortBy: ({ status }) => status,
    text: ({ status }) => statusOf(status)[0](),
    raw: ['status', ({ status }) => status],
  },
];
