import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { StepDraft } from './price-draft.ts';
import type { PriceFormState } from './use-price-form.ts';
import { ownZone, ZoneField } from './zone-field.tsx';

const stepsMax = 16;
const first: StepDraft = { above: '100000000', factor: '0.9' };

/** Multiples of the price by the tokens that the account has used of the model in the month. */
export const VolumeFields = ({ form }: { readonly form: PriceFormState }) => {
  const t = useT();
  const { draft, problems, setDraft } = form;
  const { steps, volumeZone } = draft;
  const change = (index: number, changes: Partial<StepDraft>): void =>
    setDraft({ steps: steps.map((step, at) => (at === index ? { ...step, ...changes } : step)) });
  return (
    <section aria-label={t(m.price_volume)} className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-13 font-medium">{t(m.price_volume)}</h3>
        <Button
          size="h-7 px-2.5 text-13 pointer-coarse:h-10"
          icon="plus"
          disabled={steps.length >= stepsMax}
          onClick={() => setDraft({ steps: [...steps, first], volumeZone: volumeZone || ownZone() })}
        >
          {t(m.price_volume_add)}
        </Button>
      </div>
      {steps.length > 0 && (
        <ZoneField
          label={t(m.price_volume_zone)}
          value={volumeZone}
          wrong={problems.has('volumeZone')}
          onChange={(zone) => setDraft({ volumeZone: zone })}
        />
      )}
      {steps.map((step, index) => (
        <div
          key={index}
          role="group"
          aria-label={t(m.price_volume_step, { number: index + 1 })}
          className="flex items-end gap-2"
        >
          <div className="grid min-w-0 flex-1 grid-cols-[2fr_1fr] items-end gap-3">
            <Field
              label={t(m.price_volume_above)}
              error={problems.has(`steps.${index}.above`) ? t(m.price_tier_wrong) : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={step.above}
                  className="tabular-nums"
                  onChange={({ target }) => change(index, { above: target.value })}
                />
              )}
            </Field>
            <Field
              label={t(m.price_hours_factor)}
              error={problems.has(`steps.${index}.factor`) ? t(m.price_factor_wrong) : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  value={step.factor}
                  className="tabular-nums"
                  onChange={({ target }) => change(index, { factor: target.value })}
                />
              )}
            </Field>
          </div>
          <IconButton
            icon="trash"
            label={t(m.price_volume_remove, { number: index + 1 })}
            onClick={() => setDraft({ steps: steps.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
    </section>
  );
};
