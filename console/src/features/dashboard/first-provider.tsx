import { useQuery, useQueryClient } from '@tanstack/react-query';
import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import { createChannel, listChannels, testChannel, updateChannel } from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Select } from '../../components/form/select.tsx';
import { call, callWhole } from '../../lib/api/call.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { splitList, trimSlash } from '../../lib/format/format.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { language, useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { typeName } from '../../lib/type-name.ts';
import { typeModelsQuery } from './queries.ts';

interface Provider {
  readonly type: string;
  readonly key: string;
  readonly baseUrl: string;
  /** As typed; empty: the models of the type. */
  readonly models: string;
}

/** Creates the channel, or after a failed test changes it; resolves to its id. */
const save = async ({ type, key, baseUrl, models }: Provider, id: number | undefined): Promise<number> => {
  const fields = {
    type: Number(type),
    key: key.trim(),
    base_url: trimSlash(baseUrl.trim()),
    models: splitList(models).join(','),
    other: vendorOf(Number(type))?.other?.default ?? '',
  };
  if (id !== undefined) return (await call(updateChannel, { body: { id, ...fields } })).id;
  const name = typeName(Number(type), language());
  await call(createChannel, { body: { ...fields, name, group: defaultGroup } });
  // The call answers no id; the list is newest first.
  const [newest] = await call(listChannels, { query: { p: 0 } });
  return newest?.id ?? 0;
};

/** The provider being entered, and what became of the last try. */
const useProvider = () => {
  const t = useT();
  const client = useQueryClient();
  const { data: typeModels } = useQuery(typeModelsQuery);
  const [values, setValues] = useState<Provider>({ type: '1', key: '', baseUrl: '', models: '' });
  const [saved, setSaved] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ readonly ok: boolean; readonly text: string }>();
  const ofType = typeModels?.[values.type] ?? [];
  const tryIt = async (): Promise<void> => {
    // The button may be pressed before the models of the types are here.
    const offered = (await client.query(typeModelsQuery))[values.type] ?? [];
    const id = await save({ ...values, models: values.models || offered.join(',') }, saved);
    setSaved(id);
    const { time } = await callWhole(testChannel, { params: { id }, query: { model: '' } });
    const name = typeName(Number(values.type), language());
    setResult({ ok: true, text: t(m.dash_answered, { name, took: formatTook(time * 1000) }) });
    await client.invalidateQueries({ queryKey: ['attention'] });
    await client.invalidateQueries({ queryKey: ['available-models'] });
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    await tryIt().catch((error: unknown) =>
      setResult({ ok: false, text: t(m.dash_first_test_failed, { reason: failureText(error) }) }),
    );
    setBusy(false);
  };
  return {
    values,
    setValues,
    saved,
    busy,
    result,
    needsModels: typeModels !== undefined && ofType.length === 0,
    submit,
  };
};

/** Type and key of a provider, with which its channel is created and tested in one press. */
export const FirstProvider = () => {
  const t = useT();
  const { values, setValues, saved, busy, result, needsModels, submit } = useProvider();
  const change = (changes: Partial<Provider>): void => setValues({ ...values, ...changes });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  return (
    <form className="flex w-full flex-col gap-3" aria-label={t(m.dash_first_provider)} onSubmit={onSubmit}>
      <p className="font-medium">{t(m.dash_first_provider)}</p>
      <ProviderFields values={values} needsModels={needsModels} onChange={change} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" sends look="primary" busy={busy}>
          {t(saved === undefined ? m.dash_first_add_test : m.dash_first_save_test)}
        </Button>
        <a
          href={saved === undefined ? '/channel/add' : `/channel/edit/${saved}`}
          className="font-medium text-brand underline-offset-2 hover:underline"
        >
          {t(m.dash_first_all_settings)}
        </a>
      </div>
      <p role="status" className={result?.ok === false ? 'text-bad wrap-anywhere' : 'text-mute'}>
        {result?.text}
      </p>
    </form>
  );
};

interface ProviderFieldsProps {
  readonly values: Provider;
  /** The type has no models of its own. */
  readonly needsModels: boolean;
  readonly onChange: (changes: Partial<Provider>) => void;
}

const ProviderFields = ({ values, needsModels, onChange }: ProviderFieldsProps) => {
  const t = useT();
  const shown = useLanguage();
  const vendor = vendorOf(Number(values.type));
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] items-start gap-3">
      <Field label={t(m.channel_type)}>
        {(control) => (
          <Select
            {...control}
            value={values.type}
            choices={vendorList.map(({ id }) => [String(id), typeName(id, shown)] as const)}
            onPick={(type) => onChange({ type, models: '' })}
          />
        )}
      </Field>
      <Field label={t(m.channel_key)} hint={vendor?.keyHint && t(m.channel_key_hint, { form: vendor.keyHint })}>
        {(control) => (
          <PasswordInput
            {...control}
            required
            value={values.key}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ key: target.value })}
          />
        )}
      </Field>
      <Field label={t(m.channel_base_url)}>
        {(control) => (
          <Input
            {...control}
            type="url"
            required={vendor?.baseUrl === ''}
            value={values.baseUrl}
            placeholder={vendor?.baseUrl ?? ''}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ baseUrl: target.value })}
          />
        )}
      </Field>
      {needsModels && (
        <Field label={t(m.dash_first_models)}>
          {(control) => (
            <Input
              {...control}
              required
              value={values.models}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ models: target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
};
