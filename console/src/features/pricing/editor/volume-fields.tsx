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
        <Step
          key={index}
          step={step}
          number={index + 1}
          isWrong={(name) => problems.has(`steps.${index}.${name}`)}
          onChange={(changes) =>
            setDraft({ steps: steps.map((each, at) => (at === index ? { ...each, ...changes } : each)) })
          }
          onRemove={() => setDraft({ steps: steps.filter((_, at) => at !== index) })}
        />
      ))}
    </section>
  );
};

interface StepProps {
  readonly step: StepDraft;
  readonly number: number;
  readonly isWrong: (name: string) => boolean;
  readonly onChange: (changes: Partial<StepDraft>) => void;
  readonly onRemove: () => void;
}

const Step = ({ step, number, isWrong, onChange, onRemove }: StepProps) => {
  const t = useT();
  const fields = [
    ['above', m.price_volume_above, m.price_tier_wrong],
    ['factor', m.price_hours_factor, m.price_factor_wrong],
  ] as const;
  return (
    <div role="group" aria-label={t(m.price_volume_step, { number })} className="flex items-end gap-2">
      <div className="grid min-w-0 flex-1 grid-cols-[2fr_1fr] items-end gap-3">
        {fields.map(([name, label, wrong]) => (
          <Field key={name} label={t(label)} error={isWrong(name) ? t(wrong) : undefined}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                value={step[name]}
                className="tabular-nums"
                onChange={({ target }) => onChange({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <IconButton icon="trash" label={t(m.price_volume_remove, { number })} onClick={onRemove} />
    </div>
  );
};
