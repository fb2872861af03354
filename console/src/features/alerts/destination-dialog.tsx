import { useQueryClient } from '@tanstack/react-query';
import { destinationKinds } from '@weir/contract/alerts/alerts';
import type { AlertDestination, DestinationKind, QuietHours } from '@weir/contract/alerts/alerts';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Select } from '../../components/form/select.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { ZoneSelect } from '../../components/form/zone-select.tsx';
import { FormDialog } from '../../components/overlay/form-dialog.tsx';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { destinationLabels } from './alert-labels.ts';
import { NameField } from './name-field.tsx';
import { saveDestination } from './queries.ts';

interface Values {
  readonly name: string;
  readonly kind: DestinationKind;
  readonly address: string;
  readonly secret: string;
  readonly server: string;
  readonly enabled: boolean;
  readonly quiet: QuietHours | null;
}

const initial: Values = {
  name: '',
  kind: 'webhook',
  address: '',
  secret: '',
  server: '',
  enabled: true,
  quiet: null,
};

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const signed: readonly DestinationKind[] = ['webhook', 'feishu', 'dingtalk'];
const opened: readonly DestinationKind[] = ['pusher', 'telegram'];
const optionalSecret: readonly DestinationKind[] = ['feishu', 'dingtalk'];

interface DestinationDialogProps {
  /** Absent: a new one. */
  readonly destination?: AlertDestination;
  readonly onClose: () => void;
}

/** What is typed, and what saving it does. */
const useDestinationForm = ({ destination, onClose }: DestinationDialogProps) => {
  const t = useT();
  const client = useQueryClient();
  const [loaded] = useState<Values>({ ...initial, ...destination, address: '', secret: '' });
  const [values, setValues] = useState(loaded);
  const [checked, setChecked] = useState(false);
  const { busy, save } = useSave({ values, initial: loaded });
  const change = (part: Partial<Values>): void => setValues({ ...values, ...part });
  const submit = (): void => {
    setChecked(true);
    const { name, kind, enabled, address, secret, server, quiet } = values;
    if (name.trim() === '') {
      focusFirstInvalid();
      return;
    }
    const target = { address: address.trim(), secret: secret.trim(), server: server.trim() };
    save(async () => {
      await saveDestination(client, destination?.id ?? 0, { name: name.trim(), kind, enabled, quiet, ...target });
      toast('success', t(m.operation_done));
      onClose();
    });
  };
  return { values, checked, busy, change, submit };
};

/** Creates or changes a destination. Stored URLs and secrets are not shown: empty fields keep them. */
export const DestinationDialog = (props: DestinationDialogProps) => {
  const t = useT();
  const { destination, onClose } = props;
  const { values, checked, busy, change, submit } = useDestinationForm(props);
  const { name, kind, enabled } = values;
  return (
    <FormDialog
      title={t(destination ? m.alert_edit_destination : m.alert_add_destination)}
      verb={t(destination ? m.save : m.create)}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField name={name} checked={checked} onChange={(typed) => change({ name: typed })} />
      <Field label={t(m.alert_kind)}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            disabled={destination !== undefined}
            choices={destinationKinds.map((each) => [each, t(destinationLabels[each])] as const)}
            onPick={(picked) => change({ kind: picked, address: '', secret: '', server: '' })}
          />
        )}
      </Field>
      <Target values={values} destination={destination} change={change} />
      <Quiet values={values} change={change} />
      <Switch label={t(m.alert_enabled)} on={enabled} onFlip={(on) => change({ enabled: on })} />
    </FormDialog>
  );
};

interface PartProps {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
}

const addressTexts = (kind: DestinationKind) => {
  if (kind === 'mail') return { label: m.alert_address_mail, hint: m.alert_address_mail_hint };
  if (kind === 'telegram') return { label: m.alert_address_chat, hint: m.alert_address_chat_hint };
  return { label: m.alert_address_url, hint: undefined };
};

/** Where the messages go, and what opens it. */
const Target = ({
  values,
  destination,
  change,
}: PartProps & { readonly destination: AlertDestination | undefined }) => {
  const t = useT();
  const { kind, address, server } = values;
  const { label, hint } = addressTexts(kind);
  const kept = destination && t(m.alert_address_kept, { address: destination.address });
  return (
    <>
      <Field label={t(label)} hint={kept ?? (hint && t(hint))}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={address}
            onChange={({ target }) => change({ address: target.value })}
          />
        )}
      </Field>
      <Secret values={values} isKept={destination?.has_secret === true} change={change} />
      {kind === 'telegram' && (
        <Field label={t(m.alert_server)} hint={t(m.alert_server_hint)}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={server}
              onChange={({ target }) => change({ server: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
};

const Secret = ({ values: { kind, secret }, isKept, change }: PartProps & { readonly isKept: boolean }) => {
  const t = useT();
  if (!signed.includes(kind) && !opened.includes(kind)) return null;
  return (
    <Field
      label={t(opened.includes(kind) ? m.alert_secret_token : m.alert_secret)}
      optional={optionalSecret.includes(kind) ? t(m.alert_secret_optional) : ''}
      hint={isKept ? t(m.alert_secret_kept) : undefined}
    >
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="off"
          value={secret}
          onChange={({ target }) => change({ secret: target.value })}
        />
      )}
    </Field>
  );
};

const Quiet = ({ values: { quiet }, change }: PartProps) => {
  const t = useT();
  return (
    <>
      <Switch
        label={t(m.alert_quiet)}
        hint={t(m.alert_severity_hint)}
        on={quiet !== null}
        onFlip={(on) => change({ quiet: on ? { from: '22:00', until: '07:00', zone: ownZone() } : null })}
      />
      {quiet && (
        <>
          <div className="grid grid-cols-2 gap-3">
            {(['from', 'until'] as const).map((end) => (
              <Field key={end} label={t(end === 'from' ? m.alert_quiet_from : m.alert_quiet_until)}>
                {(control) => (
                  <Input
                    {...control}
                    type="time"
                    value={quiet[end]}
                    onChange={({ target }) => change({ quiet: { ...quiet, [end]: target.value } })}
                  />
                )}
              </Field>
            ))}
          </div>
          <ZoneSelect
            label={t(m.alert_quiet_zone)}
            zone={quiet.zone}
            onPick={(zone) => change({ quiet: { ...quiet, zone } })}
          />
        </>
      )}
    </>
  );
};
