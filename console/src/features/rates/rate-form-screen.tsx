import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limitMetrics, limitScopes, limitsModel } from '@weir/contract/limits/limit-rules';
import type { RateLimit } from '@weir/contract/limits/rate-limits';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/form/field.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { metricTexts, periodTexts } from '../../components/limits/limit-texts.ts';
import { useSave } from '../../components/form/use-save.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useOpened } from '../../lib/hooks/use-opened.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { rateQuery, saveRate } from './queries.ts';
import { scopeTexts } from './rate-texts.ts';
import { fieldsOf, newRate, valuesOf } from './rate-values.ts';
import type { RateValues } from './rate-values.ts';

/** `/rate-limit/add` and `/rate-limit/edit/{id}`. */
export const RateFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <RateForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(rateQuery(id));
  const rule = useOpened(loading);
  if (rule) return <RateForm rule={rule} />;
  return (
    <FormFrame title={t(m.rate_edit_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />}
    </FormFrame>
  );
};

const RateForm = ({ rule }: { readonly rule?: RateLimit }) => {
  const t = useT();
  const client = useQueryClient();
  const [initial] = useState(() => (rule === undefined ? newRate : valuesOf(rule)));
  const [values, setValues] = useState(initial);
  const [isWrong, setWrong] = useState(false);
  const { busy, save } = useSave({ values, initial });
  const submit = (): void => {
    const fields = fieldsOf(values);
    setWrong(fields === undefined);
    if (fields === undefined) {
      focusFirstInvalid();
      return;
    }
    save(async () => {
      await saveRate(client, rule?.id, fields);
      toast('success', rule === undefined ? m.rate_created() : m.rate_updated());
      await navigate('/rate-limit', { keepSearch: true, ignoreGuards: true });
    });
  };
  return (
    <FormFrame
      title={t(rule === undefined ? m.rate_new_title : m.rate_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/rate-limit" verb={t(rule === undefined ? m.create : m.save)} busy={busy} />}
    >
      <RateFields values={values} isWrong={isWrong} onChange={(changes) => setValues({ ...values, ...changes })} />
    </FormFrame>
  );
};

interface RateFieldsProps {
  readonly values: RateValues;
  /** The amount is no whole number of the range. */
  readonly isWrong: boolean;
  readonly onChange: (changes: Partial<RateValues>) => void;
}

const periods = ['minute', 'hour', 'day'] as const;

const RateFields = (props: RateFieldsProps) => {
  const t = useT();
  const { values, onChange } = props;
  const { scope } = values;
  return (
    <>
      <Field label={t(m.rate_scope)}>
        {(control) => (
          <Select
            {...control}
            value={scope}
            choices={limitScopes.map((each) => [each, t(scopeTexts[each])] as const)}
            onPick={(picked) => onChange({ scope: picked, subject: '' })}
          />
        )}
      </Field>
      {scope !== 'model' && (
        <TextField
          label={t(m.rate_subject)}
          hint={t(subjectHint(scope))}
          value={values.subject}
          max={64}
          onChange={(subject) => onChange({ subject })}
        />
      )}
      {limitsModel(scope) && (
        <TextField
          label={t(m.rate_model)}
          hint={t(m.rate_model_hint)}
          value={values.model}
          max={200}
          onChange={(model) => onChange({ model })}
        />
      )}
      <AmountFields {...props} />
    </>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Characters. */
  readonly max: number;
  readonly onChange: (value: string) => void;
}

const TextField = ({ label, hint, value, max, onChange }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    {(control) => (
      <Input
        {...control}
        value={value}
        maxLength={max}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

const AmountFields = ({ values: { metric, amount, period }, isWrong, onChange }: RateFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field label={t(m.rate_metric)} hint={metric === 'tokens' ? t(m.rate_tokens_hint) : undefined}>
        {(control) => (
          <Select
            {...control}
            value={metric}
            choices={limitMetrics.map((each) => [each, t(metricTexts[each])] as const)}
            onPick={(picked) => onChange({ metric: picked })}
          />
        )}
      </Field>
      <Field label={t(m.rate_amount)} error={isWrong ? t(m.rate_amount_error) : undefined}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={amount}
            autoComplete="off"
            onChange={(event) => onChange({ amount: event.target.value })}
          />
        )}
      </Field>
      {metric !== 'concurrent' && (
        <Field label={t(m.rate_period)} hint={t(m.rate_period_hint)}>
          {(control) => (
            <Select
              {...control}
              value={period}
              choices={periods.map((each) => [each, t(periodTexts[each])] as const)}
              onPick={(picked) => onChange({ period: picked })}
            />
          )}
        </Field>
      )}
    </>
  );
};

/** How the subject of a scope is named. */
const subjectHint = (scope: RateValues['scope']) => {
  if (scope.startsWith('group')) return m.rate_group_hint;
  return scope.startsWith('channel_key') ? m.rate_channel_key_hint : m.rate_id_hint;
};
