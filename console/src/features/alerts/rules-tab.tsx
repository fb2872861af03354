import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlertRule } from '@weir/contract/alerts/alerts';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { Badge } from '../../components/text/badge.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { kindLabels, severityLabels } from './alert-labels.ts';
import { destinationsQuery, removeRule, rulesQuery } from './queries.ts';
import { RuleDialog } from './rule-dialog.tsx';

/** All rules; each opens in a dialog. */
export const RulesTab = () => {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(rulesQuery);
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const [edited, setEdited] = useState<AlertRule>();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <FormSkeleton fields={3} />;
  const namesOf = (rule: AlertRule): string =>
    destinations
      .filter(({ id }) => rule.destinations.includes(id))
      .map(({ name }) => name)
      .join(', ');
  const remove = ({ id, name }: AlertRule) =>
    confirmRemoval(
      { title: t(m.alert_delete_rule_title, { name }), text: t(m.alert_delete_rule_text), verb: t(m.delete) },
      () => removeRule(client, id),
    );
  if (data.length === 0)
    return <Empty icon="alert" title={t(m.alert_rules_empty_title)} text={t(m.alert_rules_empty_text)} />;
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line bg-panel">
        {data.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2 py-2 pr-2 pl-4">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <b className="font-medium wrap-anywhere">{rule.name}</b>
                <Badge tone={rule.severity === 'critical' ? 'bad' : 'warn'}>{t(severityLabels[rule.severity])}</Badge>
                {!rule.enabled && <Badge tone="off">{t(m.alert_disabled)}</Badge>}
              </p>
              <p className="text-13 wrap-anywhere text-mute">
                {[t(kindLabels[rule.kind]), namesOf(rule)].filter(Boolean).join(' · ')}
              </p>
            </div>
            <IconButton
              icon="edit"
              label={t(m.alert_edit_named, { name: rule.name })}
              onClick={() => setEdited(rule)}
            />
            <IconButton
              icon="trash"
              label={t(m.alert_delete_named, { name: rule.name })}
              onClick={() => void remove(rule)}
            />
          </li>
        ))}
      </ul>
      {edited && <RuleDialog rule={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
};
