import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import { IconButton } from '../../../components/icon-button.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { useNow } from '../../../lib/hooks/use-now.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { cardText } from './current-price.tsx';
import type { PriceFormState } from './use-price-form.ts';

interface OwnPricesProps {
  readonly model: PricedModel;
  readonly facts: PricedModels;
  /** Absent: this user may not remove any. */
  readonly onRemove: PriceFormState['removeOne'] | undefined;
}

/** Every own price of the model, of all scopes, those to come too. */
export const OwnPrices = ({ model, facts, onRemove }: OwnPricesProps) => {
  const t = useT();
  const now = useNow(60_000) / 1000;
  if (model.own.length === 0) return null;
  return (
    <section aria-label={t(m.price_own_all)} className="flex flex-col gap-1 border-t border-line pt-3">
      <h3 className="text-13 font-medium">{t(m.price_own_all)}</h3>
      <ul className="text-13">
        {model.own.map((price) => {
          const { group, channel, from, card } = price;
          const of = facts.channels.find(({ id }) => id === channel);
          const scope = [
            group === '' ? t(m.price_all_groups) : group,
            channel === 0 ? t(m.price_all_channels) : `${of?.name ?? ''} (${channel})`,
          ].join(' · ');
          const start = from > now ? t(m.price_starts, { time: formatTime(from) }) : formatTime(from);
          return (
            <li key={`${group} ${channel} ${from}`} className="flex items-center gap-2 border-b border-line py-1">
              <span className="min-w-0 flex-1 wrap-anywhere">
                {scope}
                <span className="block text-mute tabular-nums">
                  {cardText(card, t)} · {start}
                </span>
              </span>
              {onRemove && (
                <IconButton
                  icon="trash"
                  label={t(m.price_remove_one, { scope: `${scope} ${start}` })}
                  onClick={() => onRemove(price)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
};
