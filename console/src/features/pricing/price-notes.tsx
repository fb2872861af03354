import type { ModelPrice } from '@weir/contract/prices/pricing';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { dayName } from '../../lib/format/day-name.ts';
import { formatRate } from '../../lib/format/format-rate.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { partLabels } from './part-labels.ts';
import { Pieces } from './price-cells.tsx';

/** What a price depends on: the length of the prompt, the hour, the volume of the month, and pieces beside tokens. */
export const PriceNotes = ({ price }: { readonly price: ModelPrice }) => {
  const t = useT();
  const language = useLanguage();
  const display = useQuotaDisplay();
  const { tiers = [], hours, volume, factor } = price;
  const count = (tokens: number): string => tokens.toLocaleString(language);
  return (
    <div className="mt-2 flex flex-col gap-1.5 text-12 tabular-nums empty:hidden">
      {price.by_piece !== true && <Pieces price={price} />}
      {tiers.map(({ above, input, output, parts }) => (
        <p key={above}>
          <span className="block text-mute first-letter:uppercase">
            {t(m.price_tier_note, { count: count(above) })}
          </span>
          {t(m.price_in_out, { input: formatRate(input, display), output: formatRate(output, display) })}
          {parts.map(({ part, quota }) => ` · ${t(partLabels[part])} ${formatRate(quota, display)}`)}
        </p>
      ))}
      {hours && (
        <div>
          <p className="text-mute">
            {t(m.price_hours)} ({hours.zone}){factor !== undefined && `: ${t(m.price_factor_now, { factor })}`}
          </p>
          {hours.windows.map((window) => (
            <p key={JSON.stringify(window)}>
              {window.days
                ? t(m.price_hours_days_note, {
                    ...window,
                    days: window.days.map((day) => dayName(day, language)).join(', '),
                  })
                : t(m.price_hours_note, window)}
            </p>
          ))}
        </div>
      )}
      {volume && (
        <div>
          <p className="text-mute">
            {t(m.price_volume)} ({volume.zone})
          </p>
          {volume.steps.map((step) => (
            <p key={step.above}>{t(m.price_volume_note, { factor: step.factor, count: count(step.above) })}</p>
          ))}
        </div>
      )}
    </div>
  );
};
