import { useQueryClient } from '@tanstack/react-query';
import type { Redemption } from '@weir/contract/redemptions';
import { useState } from 'react';
import { CopyField } from '../../components/text/copy-field.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { update } from './queries.ts';
import { RedemptionFields } from './redemption-fields.tsx';
import { isUsed } from './redemption-status.ts';
import { fieldsOf } from './redemption-values.ts';
import type { RedemptionProblem } from './redemption-values.ts';

export const EditRedemptionForm = ({ code }: { readonly code: Redemption }) => {
  const t = useT();
  const client = useQueryClient();
  // As first loaded: a refetch while the form is open must not overwrite what was typed.
  const [initial] = useState(() => ({ name: code.name, quota: code.quota }));
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<RedemptionProblem>();
  const { busy, save } = useSave({ values, initial });
  const submit = (): void => {
    const fields = fieldsOf({ ...values, count: '1' });
    if (typeof fields === 'string') {
      setProblem(fields);
      focusFirstInvalid();
      return;
    }
    setProblem(undefined);
    save(async () => {
      await update(client, code.id, fields);
      toast('success', m.redemption_updated());
      await navigate('/redemption', { keepSearch: true, ignoreGuards: true });
    });
  };
  return (
    <FormFrame
      title={t(m.redemption_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/redemption" verb={t(m.save)} busy={busy} />}
    >
      <CopyField text={code.key} label={t(m.redemption_codes)} copyLabel={t(m.redemption_copy)} />
      <RedemptionFields
        values={values}
        problem={problem}
        used={isUsed(code)}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};
