import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { DraftNote } from '../../../components/form/draft-note.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useDraft } from '../../../lib/hooks/use-draft.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { PresetSelect } from '../presets/preset-select.tsx';
import { create } from '../queries.ts';
import type { TokenFields as Fields } from '../queries.ts';
import { TokenFields } from './token-fields.tsx';
import { TokenReady } from './token-ready.tsx';
import { valuesOf } from './token-values.ts';
import { useTokenForm } from './use-token-form.ts';

export const NewTokenForm = ({ defaults }: { readonly defaults: Fields }) => {
  const t = useT();
  const client = useQueryClient();
  const [initial] = useState(() => valuesOf(defaults));
  const { values, change, forget, ...draft } = useDraft('token', initial);
  const [created, setCreated] = useState<Token>();
  const { errors, busy, submit } = useTokenForm({
    values,
    initial,
    save: async (fields) => {
      const token = await create(client, fields);
      forget();
      toast('success', m.token_created());
      setCreated(token);
    },
  });
  if (created) return <TokenReady token={created} />;
  return (
    <FormFrame
      title={t(m.token_new_title)}
      // An empty name blocks the form without a message (specification §5).
      onSubmit={() => values.name.trim() !== '' && submit()}
      footer={<FormButtons cancelPath="/token" verb={t(m.create)} busy={busy} />}
    >
      <DraftNote {...draft} />
      <PresetSelect onPick={change} />
      <TokenFields values={values} errors={errors} onChange={change} />
    </FormFrame>
  );
};
