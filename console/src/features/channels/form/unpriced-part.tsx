import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PricedModels } from '@weir/contract/prices/own-prices';
import { useDeferredValue } from 'react';
import { Checkbox } from '../../../components/form/checkbox.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Notice } from '../../../components/notice.tsx';
import { mayI } from '../../../lib/api/session.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { isWrongPrice } from './channel-values.ts';
import type { TypedPrice } from './channel-values.ts';
import { findUnpriced } from './model-prices.ts';
import { sentModels, suggestedPrice } from './needed-prices.ts';

const freshMs = 30_000;
/** A provider may list hundreds; the page of prices has the rest. */
const shownMax = 30;

const consequences: Record<PricedModels['unpriced'], Message> = {
  refuse: m.channel_unpriced_refused,
  fallback: m.channel_unpriced_fallback,
  free: m.channel_unpriced_free,
};

/** The models without a price, with fields for one: it is stored with the channel, and for the channel alone. */
export const UnpricedPart = ({ values, id, problem, onChange }: ChannelPartProps) => {
  const t = useT();
  const models = useDeferredValue(sentModels(values).join(','));
  const { type } = values;
  const { data } = useQuery({
    queryKey: ['pricing', 'unpriced', type, id, models],
    staleTime: freshMs,
    enabled: models !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findUnpriced({ type, models: models.split(',') }, id, signal),
  });
  const sent = new Set(models.split(','));
  const unpriced = data?.models.filter((model) => sent.has(model)) ?? [];
  if (data === undefined || unpriced.length === 0) return null;
  const change = (model: string, price: TypedPrice): void => onChange({ prices: { ...values.prices, [model]: price } });
  return (
    <section aria-label={t(m.channel_unpriced)} className="flex flex-col gap-2">
      <Notice tone="warn">
        {t(m.channel_unpriced_count, { count: unpriced.length })} {t(consequences[data.rule])}{' '}
        {!mayI('root') && t(m.channel_unpriced_root)}
      </Notice>
      {mayI('root') && (
        <>
          <p className="text-12 text-mute">{t(m.channel_unpriced_hint)}</p>
          <ul className="flex flex-col">
            {unpriced.slice(0, shownMax).map((model) => (
              <ModelPrice
                key={model}
                model={model}
                price={values.prices?.[model] ?? suggestedPrice(values)}
                checked={problem === 'prices'}
                onChange={(price) => change(model, price)}
              />
            ))}
          </ul>
          {unpriced.length > shownMax && (
            <p className="text-12 text-mute">{t(m.channel_unpriced_more, { count: unpriced.length - shownMax })}</p>
          )}
        </>
      )}
    </section>
  );
};

interface ModelPriceProps {
  readonly model: string;
  readonly price: TypedPrice;
  /** Errors are shown. */
  readonly checked: boolean;
  readonly onChange: (price: TypedPrice) => void;
}

const ModelPrice = ({ model, price, checked, onChange }: ModelPriceProps) => {
  const t = useT();
  const wrong = checked && isWrongPrice(price);
  const fields = [
    ['input', m.channel_price_input],
    ['output', m.channel_price_output],
  ] as const;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5">
      <span className="min-w-0 basis-40 grow truncate font-mono text-13" title={model}>
        {model}
      </span>
      <Checkbox
        label={t(m.channel_price_free)}
        aria-label={t(m.channel_price_free_named, { name: model })}
        checked={price.free}
        onChange={({ target }) => onChange({ ...price, free: target.checked })}
      />
      {!price.free &&
        fields.map(([name, label]) => (
          <Input
            key={name}
            aria-label={t(m.channel_price_named, { part: t(label), name: model })}
            aria-invalid={wrong ? true : undefined}
            placeholder={t(label)}
            inputMode="decimal"
            autoComplete="off"
            value={price[name]}
            onChange={({ target }) => onChange({ ...price, [name]: target.value })}
            className="max-w-32 tabular-nums"
          />
        ))}
      {wrong && <p className="w-full text-13 text-bad">{t(m.channel_price_wrong)}</p>}
    </li>
  );
};
