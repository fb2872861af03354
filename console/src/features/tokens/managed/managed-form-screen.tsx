import { useQuery, useQueryClient } from '@tanstack/react-query';
import { tokenDefaults, tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { useParams } from 'wouter';
import { buttonClass } from '../../../components/button.tsx';
import { DoneMark } from '../../../components/done-mark.tsx';
import { Failure } from '../../../components/failure.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { CopyField } from '../../../components/text/copy-field.tsx';
import { useOpened } from '../../../lib/hooks/use-opened.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { toast } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from '../form/token-fields.tsx';
import { valuesOf } from '../form/token-values.ts';
import { useTokenForm } from '../form/use-token-form.ts';
import { PresetSelect } from '../presets/preset-select.tsx';
import { canReturn } from '../queries.ts';
import type { TokenFields as Fields } from '../queries.ts';
import { createFor, listPathOf, managedTokenQuery, setStatusFor, updateFor } from './managed-queries.ts';
import type { TokenOwner } from './managed-queries.ts';
import { useTokenOwner } from './use-token-owner.ts';

/** `/user/tokens/{id}/add` and `/user/tokens/{id}/edit/{token}`, and the same of teams: the form of a token of another account. */
export const ManagedFormScreen = () => {
  const { token }: { token?: string } = useParams();
  const owner = useTokenOwner();
  return token === undefined ? <NewForm owner={owner} /> : <LoadedForm key={token} owner={owner} id={Number(token)} />;
};

const NewForm = ({ owner }: { readonly owner: TokenOwner }) => {
  const client = useQueryClient();
  const [made, setMade] = useState<Token>();
  const create = async (fields: Fields): Promise<void> => setMade(await createFor(client, owner, fields));
  if (made) return <KeyReady owner={owner} token={made} />;
  const fields = { name: '', ...tokenDefaults, models: '', subnet: '' };
  return <Form owner={owner} isNew title={m.token_new_title} verb={m.create} fields={fields} save={create} />;
};

/** The only time that an administrator sees the whole key. */
const KeyReady = ({ owner, token: { name, key } }: { readonly owner: TokenOwner; readonly token: Token }) => {
  const t = useT();
  return (
    <FormFrame
      title={name}
      footer={
        <a className={buttonClass('primary')} href={listPathOf(owner)}>
          {t(m.done)}
        </a>
      }
    >
      <DoneMark title={t(m.token_ready)} text={t(m.token_new_key_text)} />
      <CopyField text={`sk-${key}`} label={t(m.token_value)} copyLabel={t(m.token_copy)} />
    </FormFrame>
  );
};

const LoadedForm = ({ owner, id }: { readonly owner: TokenOwner; readonly id: number }) => {
  const t = useT();
  const client = useQueryClient();
  const { error, refetch, ...loading } = useQuery(managedTokenQuery(owner, id));
  const token = useOpened(loading);
  if (token === undefined) {
    return (
      <FormFrame title={t(m.token_edit_title)} footer={null}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={5} />}
      </FormFrame>
    );
  }
  const save = async (fields: Fields): Promise<void> => {
    await updateFor(client, owner, token, fields);
    toast('success', m.token_updated());
    // The token was edited to be used again: no second step.
    if (canReturn(token.status, fields, Date.now())) {
      await setStatusFor(client, owner, token, tokenStatus.enabled);
      toast('info', m.token_enabled_again({ name: fields.name }));
    }
    await navigate(listPathOf(owner), { keepSearch: true, ignoreGuards: true });
  };
  return <Form owner={owner} title={m.token_edit_title} verb={m.save} fields={token} save={save} />;
};

interface FormProps {
  readonly owner: TokenOwner;
  /** A preset may fill it in. */
  readonly isNew?: true;
  readonly title: Message;
  readonly verb: Message;
  readonly fields: Fields;
  readonly save: (fields: Fields) => Promise<void>;
}

const Form = ({ owner, isNew, title, verb, fields, save }: FormProps) => {
  const t = useT();
  const [initial] = useState(() => valuesOf(fields));
  const [values, setValues] = useState(initial);
  const { errors, busy, submit } = useTokenForm({ values, initial, save });
  return (
    <FormFrame
      title={t(title)}
      // An empty name blocks the form without a message (specification §5).
      onSubmit={() => values.name.trim() !== '' && submit()}
      footer={<FormButtons cancelPath={listPathOf(owner)} verb={t(verb)} busy={busy} />}
    >
      {isNew && <PresetSelect onPick={(changes) => setValues({ ...values, ...changes })} />}
      <TokenFields
        values={values}
        errors={errors}
        foreign
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};
