import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { FormButtons } from '../../components/form-buttons.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { update } from './queries.ts';
import { TokenFields } from './token-fields.tsx';
import { valuesOf } from './token-values.ts';
import { useTokenForm } from './use-token-form.ts';

export const EditTokenForm = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  // As first loaded: a refetch while the form is open must not overwrite what was typed.
  const [loaded] = useState(token);
  const [initial] = useState(() => valuesOf(token));
  const [values, setValues] = useState(initial);
  const { errors, busy, submit } = useTokenForm({
    values,
    initial,
    save: async (fields) => {
      await update(client, loaded, fields);
      toast('success', m.token_updated());
      await navigate({ to: '/token', search: true, ignoreBlocker: true });
    },
  });
  return (
    <FormFrame
      title={t(m.token_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/token" verb={t(m.save)} busy={busy} />}
    >
      <TokenFields values={values} errors={errors} onChange={(changes) => setValues({ ...values, ...changes })} />
    </FormFrame>
  );
};
