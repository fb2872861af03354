import type { Charge, ChargedPrice } from '@weir/contract/prices/charges';
import { mayI } from '../../../lib/api/session.ts';
import { useQuotaDisplay } from '../../../lib/api/status.ts';
import type { Language } from '../../../lib/browser/locale.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { formatRate } from '../../../lib/format/format-rate.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { vendorName } from '../../../lib/vendor-name.ts';
import { m } from '../../../paraglide/messages.js';
import { ratesOf } from './charged-rates.ts';

const sourceText = ({ source, vendor = '', from }: ChargedPrice, t: Translate, language: Language): string => {
  const name = vendorName(vendor, language);
  switch (source) {
    case 'ratio':
      return t(m.log_price_ratio);
    case 'own':
      return from === undefined ? t(m.log_price_own) : t(m.log_price_own_from, { from });
    case 'vendor':
    case 'maker':
      return from === undefined
        ? t(m.log_price_list, { vendor: name })
        : t(m.log_price_list_from, { vendor: name, from });
    case 'built_in':
      return t(m.log_price_built_in);
    case 'fallback':
      return t(m.log_price_fallback);
    case 'free':
      return t(m.log_price_unpriced_free);
  }
};

const chosenTexts = (price: ChargedPrice, t: Translate, language: Language): readonly string[] => {
  const { model, above, serviceClass, factor = '1', hours, volume } = price;
  return [
    ...(above === undefined ? [] : [t(m.log_price_above, { count: above.toLocaleString(language) })]),
    ...(serviceClass === undefined ? [] : [t(m.log_price_class, { name: serviceClass })]),
    ...(volume === undefined ? [] : [t(m.log_price_volume, { factor, count: volume.toLocaleString(language) })]),
    ...(volume !== undefined || factor === '1' ? [] : [t(m.log_price_factor, { factor })]),
    ...(hours === undefined ? [] : [hours]),
    ...(model === undefined ? [] : [t(m.log_price_listed_as, { model })]),
  ];
};

/** Where the price of a call came from, and what it is in dollars. */
export const ChargePrice = ({ charge }: { readonly charge: Charge }) => {
  const t = useT();
  const language = useLanguage();
  const display = useQuotaDisplay();
  const { price, model_name: name } = charge;
  const rates = ratesOf(charge);
  if (price === null && rates === undefined) return null;
  const { model: listedAs, ...rest } = price ?? {};
  const shown = price && (listedAs === name ? { ...rest, source: price.source } : price);
  return (
    <div className="flex flex-col gap-0.5 text-13">
      {shown && (
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="first-letter:uppercase">{sourceText(shown, t, language)}</span>
          {mayI('admin') && (
            <a
              className="leading-6 text-brand underline underline-offset-2"
              href={`/pricing${stringifySearch({ price: name })}`}
            >
              {t(mayI('root') ? m.log_price_change : m.log_price_show)}
            </a>
          )}
        </p>
      )}
      {rates && (
        <p className="text-mute tabular-nums">
          {t(m.log_price_rates, {
            input: formatRate(rates.input, display),
            output: formatRate(rates.output, display),
          })}
        </p>
      )}
      {shown && chosenTexts(shown, t, language).length > 0 && (
        <p className="text-mute wrap-anywhere">{chosenTexts(shown, t, language).join(' · ')}</p>
      )}
    </div>
  );
};
