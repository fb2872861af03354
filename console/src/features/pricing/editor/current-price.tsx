import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { Notice } from '../../../components/notice.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { dollarText, readExact } from '../../../lib/format/exact.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { vendorName } from '../../../lib/vendor-name.ts';
import { m } from '../../../paraglide/messages.js';
import { amountLabels } from './amount-field.tsx';
import { unitNames } from './price-draft.ts';

const unpricedTexts: Record<PricedModels['unpriced'], Message> = {
  refuse: m.price_unpriced_refused,
  fallback: m.price_unpriced_fallback,
  free: m.price_unpriced_free,
};

/** `$1.25 in, $10.00 out`, for a million tokens. */
export const ratesText = (rates: { readonly input: string; readonly output: string }, t: Translate): string => {
  const [input, output] = [readExact(rates.input), readExact(rates.output)];
  return input && output ? t(m.price_in_out, { input: dollarText(input), output: dollarText(output) }) : '';
};

/** A card in one line. */
export const cardText = (
  { rates, units = {}, tiers = [], classes = {}, hours, volume }: PriceCard,
  t: Translate,
): string =>
  [
    ...(rates ? [ratesText(rates, t)] : []),
    ...unitNames.flatMap((name) => {
      const amount = readExact(units[name] ?? '');
      return amount ? [`${t(amountLabels[name])} ${dollarText(amount)}`] : [];
    }),
    ...(tiers.length > 0 ? [t(m.price_with_tiers, { count: tiers.length })] : []),
    ...(Object.keys(classes).length > 0 ? [t(m.price_with_classes, { names: Object.keys(classes).join(', ') })] : []),
    ...(hours ? [t(m.price_with_hours)] : []),
    ...(volume ? [t(m.price_with_volume)] : []),
  ].join(' · ');

/** What counts now, and the list price beside it. */
export const CurrentPrice = ({
  model,
  rule,
}: {
  readonly model: PricedModel;
  readonly rule: PricedModels['unpriced'];
}) => {
  const t = useT();
  const language = useLanguage();
  const { current, list } = model;
  const sources: Record<PricedModel['current']['source'], () => string> = {
    ratio: () => t(m.price_source_ratio),
    own: () => t(m.price_source_own),
    vendor: () => t(m.price_source_list, { vendor: vendorName(current.vendor ?? '', language) }),
    maker: () => t(m.price_source_list, { vendor: vendorName(current.vendor ?? '', language) }),
    built_in: () => t(m.price_source_built_in),
    fallback: () => t(m.price_unset),
    free: () => t(m.price_unset),
  };
  if (current.source === 'fallback' || current.source === 'free')
    return <Notice tone="warn">{t(unpricedTexts[rule])}</Notice>;
  const now = current.card ? cardText(current.card, t) : ratesText(current.rates, t);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-13 tabular-nums">
      <dt className="text-mute">{t(m.price_now)}</dt>
      <dd>
        {now} <span className="text-mute">({sources[current.source]()})</span>
        {model.several && <span className="block text-mute">{t(m.price_several_channels)}</span>}
      </dd>
      {list && (
        <>
          <dt className="text-mute">{t(m.price_list)}</dt>
          <dd>
            {cardText(list.card, t)}{' '}
            <span className="text-mute">
              ({t(m.price_list_of, { vendor: vendorName(list.vendor, language), from: list.from })}
              {list.model !== model.model && ` · ${list.model}`})
            </span>
          </dd>
        </>
      )}
    </dl>
  );
};
