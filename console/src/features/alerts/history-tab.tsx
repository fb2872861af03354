import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Alert, AlertSubject } from '@weir/contract/alerts/alerts';
import { pageSize } from '@weir/contract/wire';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Select } from '../../components/form/select.tsx';
import { report } from '../../components/list/row-actions.ts';
import { Badge } from '../../components/text/badge.tsx';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { kindLabels, severityLabels, subjectValue } from './alert-labels.ts';
import { acknowledge, historyQuery } from './queries.ts';
import { subjectHref } from './subject-href.ts';

type State = Alert['state'];

interface HistoryTabProps {
  /** Undefined: both. */
  readonly state: State | undefined;
  readonly page: number;
  readonly onState: (state: State | undefined) => void;
  readonly onPage: (page: number) => void;
}

/** Alerts, newest first. */
export const HistoryTab = ({ state, page, onState, onPage }: HistoryTabProps) => {
  const t = useT();
  const { data, error, refetch } = useQuery(historyQuery({ page, state }));
  return (
    <>
      <Select
        aria-label={t(m.alert_state)}
        value={state ?? ''}
        choices={[
          ['', t(m.alert_state_all)],
          ['open', t(m.alert_state_open)],
          ['resolved', t(m.alert_state_resolved)],
        ]}
        onPick={(picked) => onState(picked === '' ? undefined : picked)}
        className="mb-3 w-40"
      />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <FormSkeleton fields={3} />}
      {data?.length === 0 && (
        <Empty icon="alert" title={t(m.alert_history_empty_title)} text={t(m.alert_history_empty_text)} />
      )}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-panel">
          {data.map((alert) => (
            <AlertItem key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {(page > 0 || data?.length === pageSize) && (
        <div className="mt-3 flex justify-end gap-2">
          <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
            {t(m.alert_newer)}
          </Button>
          <Button disabled={data?.length !== pageSize} onClick={() => onPage(page + 1)}>
            {t(m.alert_older)}
          </Button>
        </div>
      )}
    </>
  );
};

const Subjects = ({ alert: { kind, subjects, subject_count: count } }: { readonly alert: Alert }) => {
  const t = useT();
  const display = useQuotaDisplay();
  return (
    <ul className="mt-1 text-13">
      {subjects.map((subject) => (
        <li key={subject.key} className="wrap-anywhere">
          <SubjectName subject={subject} />
          {[subjectValue(kind, subject, t, display), subject.note]
            .filter(Boolean)
            .map((part) => ` · ${part}`)
            .join('')}
        </li>
      ))}
      {count > subjects.length && <li>{t(m.alert_more, { count: count - subjects.length })}</li>}
    </ul>
  );
};

const SubjectName = ({ subject }: { readonly subject: AlertSubject }) => {
  const href = subjectHref(subject);
  if (href === undefined) return subject.name;
  return (
    <a className="inline-block py-0.5 text-brand underline underline-offset-2" href={href}>
      {subject.name}
    </a>
  );
};

const AlertItem = ({ alert }: { readonly alert: Alert }) => {
  const t = useT();
  const client = useQueryClient();
  const { id, rule_name: name, kind, severity, state, sent, waiting, dead } = alert;
  const isOpen = state === 'open';
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <b className="font-medium wrap-anywhere">{name}</b>
          <Badge tone={isOpen ? (severity === 'critical' ? 'bad' : 'warn') : 'ok'}>
            {isOpen ? t(severityLabels[severity]) : t(m.alert_state_resolved)}
          </Badge>
          <span className="text-13 text-mute">{t(kindLabels[kind])}</span>
        </p>
        <Subjects alert={alert} />
        <p className="mt-1 text-12 text-mute tabular-nums">
          {[
            t(m.alert_opened, { time: formatTime(alert.opened_at) }),
            ...(isOpen ? [] : [t(m.alert_resolved, { time: formatTime(alert.resolved_at) })]),
            ...(alert.acknowledged_at > 0 ? [t(m.alert_acknowledged, { name: alert.acknowledged_by })] : []),
            t(m.alert_messages, { sent, waiting, dead }),
          ].join(' · ')}
        </p>
        {alert.last_error !== '' && (
          <p className="text-12 wrap-anywhere text-bad">{t(m.alert_last_error, { reason: alert.last_error })}</p>
        )}
      </div>
      {isOpen && alert.acknowledged_at === 0 && (
        <Button
          sends
          aria-label={t(m.alert_acknowledge_named, { name })}
          onClick={() => void report(acknowledge(client, id))}
        >
          {t(m.alert_acknowledge)}
        </Button>
      )}
    </li>
  );
};
