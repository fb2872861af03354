import type { UsagePart } from '@weir/contract/prices/usage-parts';
import { Badge } from '../../components/text/badge.tsx';
import { formatRate } from '../../lib/format/format-rate.ts';
import { mayI } from '../../lib/api/session.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { isUnpriced, partOf, unitsPerImage } from './price-rows.ts';
import type { PriceRow } from './price-rows.ts';
import { parseSearch, stringifySearch } from '../../lib/lists/search-params.ts';

/** Address of the editor of a model's prices. */
export const priceEditor = ({ model, sent }: Pick<PriceRow, 'model' | 'sent'>): string =>
  `/pricing${stringifySearch({ ...parseSearch(location.search), price: sent[0] ?? model })}`;

/** The name of a model, with a mark where its price is not set. */
export const ModelCell = ({ row }: { readonly row: PriceRow }) => {
  const t = useT();
  return (
    <span className="flex items-center gap-2">
      <span className="truncate font-mono text-13" title={row.model}>
        {row.model}
      </span>
      {isUnpriced(row) && (
        <Badge tone="warn" tip={t(m.price_unset_tip)}>
          {t(m.price_unset)}
        </Badge>
      )}
      {isUnpriced(row) && mayI('root') && row.channels > 0 && (
        // On a card the name is a button, which must hold no link; its menu has the entry.
        <a className="text-13 text-brand underline underline-offset-2 max-md:hidden" href={priceEditor(row)}>
          {t(m.price_set)}
        </a>
      )}
    </span>
  );
};

const thousand = 1_000_000 / unitsPerImage;

/** Price of a million prompt tokens, or one image, or a million characters. */
export const InputCell = ({ unit, price }: Pick<PriceRow, 'unit' | 'price'>) => {
  const t = useT();
  const display = useQuotaDisplay();
  if (price.input === 0) return <>{t(m.price_free)}</>;
  if (unit === 'token') return <>{formatRate(price.input, display)}</>;
  const [quota, word] =
    unit === 'image' ? [price.input / thousand, m.price_per_image] : [price.input, m.price_per_characters];
  return (
    <>
      {formatRate(quota, display)} <span className="text-12 text-mute">{t(word)}</span>
    </>
  );
};

export const OutputCell = ({ unit, price }: Pick<PriceRow, 'unit' | 'price'>) => {
  const t = useT();
  const display = useQuotaDisplay();
  if (unit !== 'token') return <span className="text-mute">—</span>;
  return price.output === 0 ? t(m.price_free) : formatRate(price.output, display);
};

type PartCellProps = Pick<PriceRow, 'unit' | 'price'> & { readonly part: UsagePart };

/** Muted if the part has no separate price. */
export const PartCell = ({ unit, price, part }: PartCellProps) => {
  const display = useQuotaDisplay();
  if (unit !== 'token') return <span className="text-mute">—</span>;
  const own = price.parts.some((each) => each.part === part);
  return <span className={own ? '' : 'text-mute'}>{formatRate(partOf(price, part), display)}</span>;
};

/** Note that some of the channels of a model cost more. */
export const MoreCell = ({ prices }: Pick<PriceRow, 'prices'>) => {
  const t = useT();
  return prices.length > 1 ? (
    <span className="text-12 text-mute" data-tip={t(m.price_several_tip)}>
      {t(m.price_several, { count: prices.length })}
    </span>
  ) : null;
};
