import type { Column } from '../../components/table/data-table-types.ts';
import { Time } from '../../components/text/time.tsx';
import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { hrefOf, labelOf } from './audit-labels.ts';
import type { AuditEntry } from './queries.ts';

export const Actor = ({ actor_id: id, actor_name: name }: AuditEntry) => {
  const t = useT();
  if (name !== '') return name;
  return <span className="text-mute">{id === 0 ? t(m.audit_system) : id}</span>;
};

const Action = ({ action }: AuditEntry) => useT()(labelOf(action));

export const Subject = ({ subject }: AuditEntry) => {
  const href = hrefOf(subject);
  if (href === undefined) return subject;
  return (
    <a href={href} className="text-brand underline-offset-2 hover:underline">
      {subject}
    </a>
  );
};

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    id: 'time',
    title: m.log_time,
    fixed: true,
    card: 'value',
    render: ({ created_at: at }) => <Time unixSeconds={at} />,
    sortBy: ({ id }) => id,
    text: ({ created_at: at }) => formatTime(at),
    raw: ['created_at', ({ created_at: at }) => at],
  },
  {
    id: 'actor',
    title: m.audit_actor,
    card: 'status',
    render: (entry) => <Actor {...entry} />,
    sortBy: ({ actor_name: name }) => name,
    text: ({ actor_name: name }) => name,
    raw: ['actor_id', ({ actor_id: id }) => id],
  },
  {
    id: 'action',
    title: m.audit_action,
    card: 'title',
    className: 'whitespace-nowrap',
    render: (entry) => <Action {...entry} />,
    sortBy: ({ action }) => action,
    text: ({ action }) => labelOf(action)(),
    raw: ['action', ({ action }) => action],
  },
  {
    id: 'subject',
    title: m.audit_subject,
    card: 'value',
    className: 'whitespace-nowrap',
    render: (entry) => <Subject {...entry} />,
    sortBy: ({ subject }) => subject,
    text: ({ subject }) => subject,
  },
  {
    id: 'detail',
    title: m.log_details,
    className: 'w-full max-w-0 min-w-32',
    render: ({ detail }) => (
      <span className="block truncate" title={detail}>
        {detail}
      </span>
    ),
    text: ({ detail }) => detail,
  },
  {
    id: 'address',
    title: m.audit_address,
    card: 'value',
    render: ({ address }) => <span className="font-mono text-12">{address}</span>,
    sortBy: ({ address }) => address,
    text: ({ address }) => address,
  },
  {
    id: 'request',
    title: m.log_request,
    spare: true,
    render: ({ request_id: id }) => <span className="font-mono text-12">{id}</span>,
    text: ({ request_id: id }) => id,
  },
];
