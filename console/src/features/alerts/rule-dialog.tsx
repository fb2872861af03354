import { useQuery, useQueryClient } from '@tanstack/react-query';
import { alertKinds, repeatMinutesMax, ruleFigures, severities } from '@weir/contract/alerts/alerts';
import type { AlertRule } from '@weir/contract/alerts/alerts';
import { useState } from 'react';
import { Checkbox } from '../../components/form/checkbox.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { Switch } from '../../components/form/switch.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { FormDialog } from '../../components/overlay/form-dialog.tsx';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { kindLabels, severityLabels, thresholdLabels } from './alert-labels.ts';
import { NameField } from './name-field.tsx';
import { destinationsQuery, saveRule } from './queries.ts';
import { bodyOf, figureNames, initialFigures, isRepeatWrong, isWhole, valuesOf, wrongFigures } from './rule-values.ts';
import type { FigureName, RuleValues } from './rule-values.ts';

interface RuleDialogProps {
  /** Absent: a new one. */
  readonly rule?: AlertRule;
  readonly onClose: () => void;
}

/** What is typed, and what saving it does. */
const useRuleForm = ({ rule, onClose }: RuleDialogProps) => {
  const t = useT();
  const client = useQueryClient();
  const [loaded] = useState(valuesOf(rule));
  const [values, setValues] = useState(loaded);
  const [checked, setChecked] = useState(false);
  const { busy, save } = useSave({ values, initial: loaded });
  const change = (part: Partial<RuleValues>): void => setValues({ ...values, ...part });
  const submit = (): void => {
    setChecked(true);
    if (values.name.trim() === '' || isRepeatWrong(values) || wrongFigures(values).length > 0) {
      focusFirstInvalid();
      return;
    }
    save(async () => {
      await saveRule(client, rule?.id ?? 0, bodyOf(values));
      toast('success', t(m.operation_done));
      onClose();
    });
  };
  return { values, checked, busy, change, submit };
};

/** Creates or changes a rule. */
export const RuleDialog = (props: RuleDialogProps) => {
  const t = useT();
  const { rule, onClose } = props;
  const { values, checked, busy, change, submit } = useRuleForm(props);
  const { name, kind } = values;
  return (
    <FormDialog
      title={t(rule ? m.alert_edit_rule : m.alert_add_rule)}
      verb={t(rule ? m.save : m.create)}
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
            disabled={rule !== undefined}
            choices={alertKinds.map((each) => [each, t(kindLabels[each])] as const)}
            onPick={(picked) => change({ kind: picked, figures: initialFigures(picked) })}
          />
        )}
      </Field>
      {figureNames.map((figure) => (
        <Figure key={figure} name={figure} values={values} checked={checked} change={change} />
      ))}
      <Sending values={values} checked={checked} change={change} />
      <Receivers values={values} change={change} />
      <Switch label={t(m.alert_enabled)} on={values.enabled} onFlip={(enabled) => change({ enabled })} />
    </FormDialog>
  );
};

interface PartProps {
  readonly values: RuleValues;
  readonly change: (part: Partial<RuleValues>) => void;
}

/** How and how often a message is sent. */
const Sending = ({ values, checked, change }: PartProps & { readonly checked: boolean }) => {
  const t = useT();
  return (
    <>
      <Field label={t(m.alert_severity)} hint={t(m.alert_severity_hint)}>
        {(control) => (
          <Select
            {...control}
            value={values.severity}
            choices={severities.map((each) => [each, t(severityLabels[each])] as const)}
            onPick={(severity) => change({ severity })}
          />
        )}
      </Field>
      <Field
        label={t(m.alert_repeat)}
        hint={t(m.alert_repeat_hint)}
        error={
          checked && isRepeatWrong(values) ? t(m.alert_number, { min: '0', max: String(repeatMinutesMax) }) : undefined
        }
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={values.repeat}
            onChange={({ target }) => change({ repeat: target.value })}
          />
        )}
      </Field>
    </>
  );
};

const Figure = ({
  name,
  values,
  checked,
  change,
}: PartProps & { readonly name: FigureName; readonly checked: boolean }) => {
  const t = useT();
  const { kind, figures } = values;
  const bounds = ruleFigures[kind][name];
  if (bounds === undefined) return null;
  const { min, max } = bounds;
  const labels: Readonly<Record<FigureName, Message | undefined>> = {
    threshold: thresholdLabels[kind],
    window_minutes: m.alert_window,
    least: kind === 'spend_anomaly' ? m.alert_least_quota : m.alert_least_calls,
  };
  return (
    <Field
      label={t(labels[name] ?? m.alert_kind)}
      error={
        checked && !isWhole(figures[name], min, max)
          ? t(m.alert_number, { min: String(min), max: String(max) })
          : undefined
      }
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          value={figures[name]}
          onChange={({ target }) => change({ figures: { ...figures, [name]: target.value } })}
        />
      )}
    </Field>
  );
};

/** The destinations that get the messages. */
const Receivers = ({ values: { destinations: chosen }, change }: PartProps) => {
  const t = useT();
  const { data: known = [] } = useQuery(destinationsQuery);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 text-13 font-medium">{t(m.alert_sent_to)}</legend>
      {known.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            change({ destinations: target.checked ? [...chosen, id] : chosen.filter((each) => each !== id) })
          }
        />
      ))}
      {chosen.length === 0 && <p className="text-12 text-mute">{t(m.alert_sent_to_none)}</p>}
    </fieldset>
  );
};
