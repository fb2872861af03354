import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/form/checkbox.tsx';
import { DateTimeInput } from '../../../components/form/date-time-input.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Select } from '../../../components/form/select.tsx';
import { Notice } from '../../../components/notice.tsx';
import { mayI } from '../../../lib/api/session.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { AmountField } from './amount-field.tsx';
import { CurrentPrice } from './current-price.tsx';
import { HoursFields } from './hours-fields.tsx';
import { Margins } from './margins.tsx';
import { MoreFields } from './more-fields.tsx';
import { OwnPrices } from './own-prices.tsx';
import { TierFields } from './tier-fields.tsx';
import { usePriceForm } from './use-price-form.ts';
import type { PriceFormState } from './use-price-form.ts';
import { VolumeFields } from './volume-fields.tsx';

export interface PriceFormProps {
  readonly model: PricedModel;
  readonly facts: PricedModels;
  readonly onClose: () => void;
}

const usual = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** What a model costs now, beside its list price, and the fields that change it. */
export const PriceForm = ({ model, facts, onClose }: PriceFormProps) => {
  const t = useT();
  const form = usePriceForm(model, onClose);
  const { draft, busy, hasOwn } = form;
  const root = mayI('root');
  return (
    <FormFrame
      title={model.model}
      {...(root && { onSubmit: form.save })}
      footer={
        <>
          {root && hasOwn && (
            <Button sends className="mr-auto" busy={busy === 'remove'} onClick={form.useList}>
              {t(model.list ? m.price_use_list : m.price_remove_own)}
            </Button>
          )}
          <Button onClick={onClose}>{t(root ? m.cancel : m.close)}</Button>
          {root && (
            <Button type="submit" sends look="primary" busy={busy === 'save'}>
              {t(m.save)}
            </Button>
          )}
        </>
      }
    >
      <CurrentPrice model={model} rule={facts.unpriced} />
      {!root && <Notice tone="info">{t(m.price_root_only)}</Notice>}
      {model.ratios?.model !== undefined && <Notice tone="warn">{t(m.price_ratio_set)}</Notice>}
      <fieldset disabled={!root} className="contents">
        <Checkbox
          label={t(m.price_free)}
          checked={draft.free}
          onChange={({ target }) => form.setDraft({ free: target.checked })}
        />
        {!draft.free && <Amounts model={model} form={form} />}
        <ScopeFields form={form} facts={facts} />
      </fieldset>
      <Margins model={model} facts={facts} form={form} />
      <OwnPrices model={model} facts={facts} onRemove={root ? form.removeOne : undefined} />
    </FormFrame>
  );
};

/** The amounts of a price that is not free. */
const Amounts = ({ model, form }: { readonly model: PricedModel; readonly form: PriceFormState }) => {
  const { draft, problems, setDraft } = form;
  const card = model.list?.card;
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
        {usual.map((name) => (
          <AmountField
            key={name}
            name={name}
            value={draft.rates[name] ?? ''}
            list={card?.rates?.[name]}
            wrong={problems.has(name)}
            first={name === 'input'}
            onChange={(text) => setDraft({ rates: { ...draft.rates, [name]: text } })}
          />
        ))}
      </div>
      <MoreFields form={form} list={card} />
      <TierFields form={form} />
      <HoursFields form={form} />
      <VolumeFields form={form} />
    </>
  );
};

/** Groups, channels and the time from which the price counts. */
const ScopeFields = ({ form, facts }: { readonly form: PriceFormState; readonly facts: PricedModels }) => {
  const t = useT();
  const { scope, from, problems } = form;
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
        <Field label={t(m.price_for_group)}>
          {(control) => (
            <Select
              {...control}
              value={scope.group}
              choices={[['', t(m.price_all_groups)] as const, ...facts.groups.map(({ name }) => [name, name] as const)]}
              onPick={(group) => form.setScope({ ...scope, group })}
            />
          )}
        </Field>
        <Field label={t(m.price_for_channel)}>
          {(control) => (
            <Select
              {...control}
              value={String(scope.channel)}
              choices={[
                ['0', t(m.price_all_channels)] as const,
                ...facts.channels.map(({ id, name }) => [String(id), `${name} (${id})`] as const),
              ]}
              onPick={(channel) => form.setScope({ ...scope, channel: Number(channel) })}
            />
          )}
        </Field>
      </div>
      <Field
        label={t(m.price_from)}
        hint={t(m.price_from_hint)}
        error={problems.has('from') ? t(m.price_from_wrong) : undefined}
      >
        {(control) => (
          <DateTimeInput {...control} value={from} placeholder={t(m.price_from_now)} onChange={form.setFrom} />
        )}
      </Field>
    </>
  );
};
