import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeyPreset } from '@weir/contract/invitations/key-presets';
import { tokenDefaults } from '@weir/contract/tokens';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Failure } from '../../../components/failure.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { Nothing } from '../../../components/section.tsx';
import { keyPresetsQuery } from '../../../lib/api/key-presets.ts';
import { useOpened } from '../../../lib/hooks/use-opened.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { toast } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from '../form/token-fields.tsx';
import { valuesOf } from '../form/token-values.ts';
import { useTokenForm } from '../form/use-token-form.ts';
import { savePreset } from './preset-queries.ts';
import { presetOf, valuesByPreset } from './preset-values.ts';

/** `/key-preset/add` and `/key-preset/edit/{id}`: the form of a token, whose expiry is kept as days. */
export const PresetFormScreen = () => {
  const { id }: { id?: string } = useParams();
  return id === undefined ? <PresetForm /> : <LoadedForm key={id} id={Number(id)} />;
};

const LoadedForm = ({ id }: { readonly id: number }) => {
  const t = useT();
  const { error, refetch, ...loading } = useQuery(keyPresetsQuery);
  const presets = useOpened(loading);
  const preset = presets?.find((each) => each.id === id);
  if (preset) return <PresetForm preset={preset} />;
  return (
    <FormFrame title={t(m.preset_edit_title)} footer={null}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && (presets === undefined ? <FormSkeleton fields={5} /> : <Nothing text={t(m.preset_gone)} />)}
    </FormFrame>
  );
};

const empty = valuesOf({ name: '', ...tokenDefaults, models: '', subnet: '' });

const PresetForm = ({ preset }: { readonly preset?: KeyPreset }) => {
  const t = useT();
  const client = useQueryClient();
  const [initial] = useState(() => (preset === undefined ? empty : valuesByPreset(preset)));
  const [values, setValues] = useState(initial);
  const isNew = preset === undefined;
  const { errors, busy, submit } = useTokenForm({
    values,
    initial,
    save: async (fields) => {
      await savePreset(client, preset?.id, presetOf(fields, Date.now()));
      toast('success', isNew ? m.preset_created() : m.preset_updated());
      await navigate('/key-preset', { keepSearch: true, ignoreGuards: true });
    },
  });
  return (
    <FormFrame
      title={t(isNew ? m.preset_new_title : m.preset_edit_title)}
      // An empty name blocks the form without a message, as in the form of a token.
      onSubmit={() => values.name.trim() !== '' && submit()}
      footer={<FormButtons cancelPath="/key-preset" verb={t(isNew ? m.create : m.save)} busy={busy} />}
    >
      <TokenFields
        values={values}
        errors={errors}
        foreign
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};
