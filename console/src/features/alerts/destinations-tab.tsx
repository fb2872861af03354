import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlertDestination } from '@weir/contract/alerts/alerts';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { Badge } from '../../components/text/badge.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { destinationLabels } from './alert-labels.ts';
import { DestinationDialog } from './destination-dialog.tsx';
import { destinationsQuery, removeDestination, sendTest } from './queries.ts';

/** All destinations; each opens in a dialog and can be tested. */
export const DestinationsTab = () => {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(destinationsQuery);
  const [edited, setEdited] = useState<AlertDestination>();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <FormSkeleton fields={3} />;
  const remove = ({ id, name }: AlertDestination) =>
    confirmRemoval(
      {
        title: t(m.alert_delete_destination_title, { name }),
        text: t(m.alert_delete_destination_text),
        verb: t(m.delete),
      },
      () => removeDestination(client, id),
    );
  if (data.length === 0)
    return <Empty icon="alert" title={t(m.alert_destinations_empty_title)} text={t(m.alert_destinations_empty_text)} />;
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line bg-panel">
        {data.map((destination) => (
          <Destination
            key={destination.id}
            destination={destination}
            onEdit={() => setEdited(destination)}
            onRemove={() => void remove(destination)}
          />
        ))}
      </ul>
      {edited && <DestinationDialog destination={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
};

interface DestinationProps {
  readonly destination: AlertDestination;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const Destination = ({ destination, onEdit, onRemove }: DestinationProps) => {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const { id, name, kind, address, enabled, quiet } = destination;
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendTest(id);
      toast('success', t(m.alert_test_sent, { name }));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="flex flex-wrap items-center gap-2 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-2">
          <b className="font-medium wrap-anywhere">{name}</b>
          {!enabled && <Badge tone="off">{t(m.alert_disabled)}</Badge>}
        </p>
        <p className="text-13 wrap-anywhere text-mute">
          {[t(destinationLabels[kind]), address, quiet && t(m.alert_quiet_facts, quiet)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <Button sends busy={busy} aria-label={t(m.alert_test_named, { name })} onClick={() => void test()}>
        {t(m.alert_test)}
      </Button>
      <IconButton icon="edit" label={t(m.alert_edit_named, { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t(m.alert_delete_named, { name })} onClick={onRemove} />
    </li>
  );
};
