import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { AmountField } from './amount-field.tsx';
import type { TierDraft } from './price-draft.ts';
import type { PriceFormState } from './use-price-form.ts';

const names = ['input', 'output', 'cache_read', 'cache_write'] as const;
const tiersMax = 8;

/** Prices of long prompts: a call above so many tokens has all of its tokens at the price of that tier. */
export const TierFields = ({ form }: { readonly form: PriceFormState }) => {
  const t = useT();
  const { draft, problems, setDraft } = form;
  const change = (index: number, changes: Partial<TierDraft>): void =>
    setDraft({ tiers: draft.tiers.map((tier, at) => (at === index ? { ...tier, ...changes } : tier)) });
  return (
    <section aria-label={t(m.price_tiers)} className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-13 font-medium">{t(m.price_tiers)}</h3>
        <Button
          size="h-7 px-2.5 text-13 pointer-coarse:h-10"
          icon="plus"
          disabled={draft.tiers.length >= tiersMax}
          onClick={() => setDraft({ tiers: [...draft.tiers, { above: '200000', rates: {} }] })}
        >
          {t(m.price_tier_add)}
        </Button>
      </div>
      {draft.tiers.map((tier, index) => (
        <Tier
          key={index}
          tier={tier}
          number={index + 1}
          isWrong={(name) => problems.has(`tiers.${index}.${name}`)}
          onChange={(changes) => change(index, changes)}
          onRemove={() => setDraft({ tiers: draft.tiers.filter((_, at) => at !== index) })}
        />
      ))}
    </section>
  );
};

interface TierProps {
  readonly tier: TierDraft;
  readonly number: number;
  readonly isWrong: (name: string) => boolean;
  readonly onChange: (changes: Partial<TierDraft>) => void;
  readonly onRemove: () => void;
}

const Tier = ({ tier, number, isWrong, onChange, onRemove }: TierProps) => {
  const t = useT();
  return (
    <div role="group" aria-label={t(m.price_tier, { number })} className="flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label={t(m.price_tier_above)} error={isWrong('above') ? t(m.price_tier_wrong) : undefined}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={tier.above}
                onChange={({ target }) => onChange({ above: target.value })}
              />
            )}
          </Field>
        </div>
        <IconButton icon="trash" label={t(m.price_tier_remove, { number })} onClick={onRemove} />
      </div>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-phone:grid-cols-1">
        {names.map((name) => (
          <AmountField
            key={name}
            name={name}
            value={tier.rates[name] ?? ''}
            wrong={isWrong(name)}
            onChange={(text) => onChange({ rates: { ...tier.rates, [name]: text } })}
          />
        ))}
      </div>
    </div>
  );
};
