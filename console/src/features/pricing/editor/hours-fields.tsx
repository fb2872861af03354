import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/form/checkbox.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { dayName } from '../../../lib/format/day-name.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { WindowDraft } from './price-draft.ts';
import type { PriceFormState } from './use-price-form.ts';
import { ownZone, ZoneField } from './zone-field.tsx';

const night: WindowDraft = { days: [], from: '22:00', to: '06:00', factor: '0.5' };
const windowsMax = 32;
const everyDay = [1, 2, 3, 4, 5, 6, 7] as const;

/** Multiples of the price by weekday and hour in a time zone. */
export const HoursFields = ({ form }: { readonly form: PriceFormState }) => {
  const t = useT();
  const { draft, problems, setDraft } = form;
  const { windows, zone } = draft;
  return (
    <section aria-label={t(m.price_hours)} className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-13 font-medium">{t(m.price_hours)}</h3>
        <Button
          size="h-7 px-2.5 text-13 pointer-coarse:h-10"
          icon="plus"
          disabled={windows.length >= windowsMax}
          onClick={() => setDraft({ windows: [...windows, night], zone: zone || ownZone() })}
        >
          {t(m.price_hours_add)}
        </Button>
      </div>
      {windows.length > 0 && (
        <ZoneField
          label={t(m.price_zone)}
          value={zone}
          wrong={problems.has('zone')}
          onChange={(text) => setDraft({ zone: text })}
        />
      )}
      {windows.map((window, index) => (
        <HoursWindow
          key={index}
          window={window}
          number={index + 1}
          isWrong={(name) => problems.has(`windows.${index}.${name}`)}
          onChange={(changes) =>
            setDraft({ windows: windows.map((each, at) => (at === index ? { ...each, ...changes } : each)) })
          }
          onRemove={() => setDraft({ windows: windows.filter((_, at) => at !== index) })}
        />
      ))}
    </section>
  );
};

interface HoursWindowProps {
  readonly window: WindowDraft;
  readonly number: number;
  readonly isWrong: (name: string) => boolean;
  readonly onChange: (changes: Partial<WindowDraft>) => void;
  readonly onRemove: () => void;
}

const HoursWindow = ({ window, number, isWrong, onChange, onRemove }: HoursWindowProps) => {
  const t = useT();
  const language = useLanguage();
  const { days } = window;
  const fields = [
    ['from', m.price_hours_from, m.price_hours_wrong],
    ['to', m.price_hours_to, m.price_hours_wrong],
    ['factor', m.price_hours_factor, m.price_factor_wrong],
  ] as const;
  return (
    <div role="group" aria-label={t(m.price_hours_window, { number })} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="grid min-w-0 flex-1 grid-cols-3 gap-3">
          {fields.map(([name, label, wrong]) => (
            <Field key={name} label={t(label)} error={isWrong(name) ? t(wrong) : undefined}>
              {(control) => (
                <Input
                  {...control}
                  value={window[name]}
                  className="tabular-nums"
                  onChange={({ target }) => onChange({ [name]: target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <IconButton icon="trash" label={t(m.price_hours_remove, { number })} onClick={onRemove} />
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-13">
        {everyDay.map((day) => (
          <Checkbox
            key={day}
            label={dayName(day, language)}
            checked={days.length === 0 || days.includes(day)}
            onChange={() => {
              const all = days.length === 0 ? everyDay : days;
              const next = everyDay.filter((each) => all.includes(each) !== (each === day));
              onChange({ days: next.length === 7 ? [] : next });
            }}
          />
        ))}
      </div>
    </div>
  );
};
