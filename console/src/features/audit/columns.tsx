import { timeColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { currentStatus, quotaDisplay, useQuotaDisplay } from '../../lib/api/status.ts';
import { currentT, useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { actorOf, detailOf, subjectOf } from './audit-detail.ts';
import { hrefOf, labelOf } from './audit-labels.ts';
import type { AuditEntry } from './queries.ts';

const detailText = (entry: AuditEntry): string => detailOf(entry, currentT(), quotaDisplay(currentStatus()));

const Actor = (entry: AuditEntry) => {
  const t = useT();
  const actor = actorOf(entry, t);
  return entry.actor_name === '' ? <span className="text-mute">{actor}</span> : actor;
};

const Action = ({ action }: AuditEntry) => useT()(labelOf(action));

const Subject = (entry: AuditEntry) => {
  const text = subjectOf(entry, useT());
  const href = hrefOf(entry.subject);
  if (href === undefined) return text;
  return (
    <a href={href} className="text-brand underline-offset-2 hover:underline">
      {text}
    </a>
  );
};

export const Detail = (entry: AuditEntry) => detailOf(entry, useT(), useQuotaDisplay());

export const auditColumns: readonly Column<AuditEntry>[] = [
  timeColumn({
    id: 'time',
    title: m.log_time,
    fixed: true,
    card: 'value',
    sortBy: ({ id }) => id,
    raw: ['created_at', ({ created_at: at }) => at],
  }),
  {
    id: 'actor',
    title: m.audit_actor,
    card: 'status',
    render: (entry) => <Actor {...entry} />,
    sortBy: ({ actor_name: name }) => name,
    text: (entry) => actorOf(entry, currentT()),
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
    text: (entry) => subjectOf(entry, currentT()),
  },
  {
    id: 'detail',
    from: 1024,
    title: m.log_details,
    card: 'note',
    className: 'w-full max-w-0 min-w-32',
    render: (entry) => (
      <span className="block truncate" title={detailText(entry)}>
        <Detail {...entry} />
      </span>
    ),
    text: detailText,
    raw: ['detail', ({ detail }) => detail],
  },
  {
    id: 'address',
    from: 1024,
    title: m.audit_address,
    card: 'value',
    render: ({ address }) => <span className="font-mono text-12">{address}</span>,
    sortBy: ({ address }) => address,
    text: ({ address }) => address,
  },
  {
    id: 'request',
    from: 1024,
    title: m.log_request,
    spare: true,
    render: ({ request_id: id }) => <span className="font-mono text-12">{id}</span>,
    text: ({ request_id: id }) => id,
  },
];
