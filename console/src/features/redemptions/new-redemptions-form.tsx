import { useQueryClient } from '@tanstack/react-query';
import { redemptionCountMax, redemptionDefaults } from '@weir/contract/redemptions';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { DraftNote } from '../../components/form/draft-note.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { Input } from '../../components/form/input.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { formatQuota } from '../../lib/format/format.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { toast } from '../../lib/toasts.ts';
import { useDraft } from '../../lib/hooks/use-draft.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { amountError } from '../../lib/amount-error.ts';
import { m } from '../../paraglide/messages.js';
import { CodesReady, saveCodes } from './codes-ready.tsx';
import { create } from './queries.ts';
import { RedemptionFields } from './redemption-fields.tsx';
import { countOf, fieldsOf } from './redemption-values.ts';
import type { RedemptionProblem, RedemptionValues } from './redemption-values.ts';

const initial: RedemptionValues = {
  name: '',
  quota: redemptionDefaults.quota,
  count: String(redemptionDefaults.count),
};

export const NewRedemptionsForm = () => {
  const t = useT();
  const client = useQueryClient();
  const { values, change, forget, ...draft } = useDraft('redemptions', initial);
  const [problem, setProblem] = useState<RedemptionProblem>();
  const [refusal, setRefusal] = useState<string>();
  const [made, setMade] = useState<readonly string[]>();
  const { busy, save } = useSave({
    values,
    initial,
    onFailure: (error) => setRefusal(countOf(values) > redemptionCountMax ? failureText(error) : undefined),
  });
  const submit = (): void => {
    const fields = fieldsOf(values);
    setRefusal(undefined);
    setProblem(typeof fields === 'string' ? fields : undefined);
    if (typeof fields === 'string') {
      focusFirstInvalid();
      return;
    }
    save(async () => {
      const codes = await create(client, fields);
      forget();
      toast('success', m.redemption_created());
      saveCodes(fields.name, codes);
      setMade(codes);
    });
  };
  if (made) return <CodesReady name={values.name.trim()} codes={made} />;
  return (
    <FormFrame
      title={t(m.redemption_new_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/redemption" verb={t(m.create)} busy={busy} />}
    >
      <DraftNote {...draft} />
      <RedemptionFields values={values} problem={problem} onChange={change} />
      <Field
        label={t(m.redemption_count)}
        error={problem === 'count' ? amountError(t, countOf(values), 1) : refusal}
        hint={<Total {...values} />}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={values.count}
            className="tabular-nums"
            onChange={(event) => change({ count: event.target.value })}
          />
        )}
      </Field>
    </FormFrame>
  );
};

/** The total value of all codes. */
const Total = (values: RedemptionValues) => {
  const t = useT();
  const display = useQuotaDisplay();
  const count = countOf(values);
  // The value of one code is in the field above.
  if (!Number.isSafeInteger(values.quota * count) || count < 2) return null;
  const [quota, total] = [values.quota, values.quota * count].map((amount) => formatQuota(amount, display));
  return <>{t(m.redemption_total, { count, quota: quota ?? '', total: total ?? '' })}</>;
};
