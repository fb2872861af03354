import type { UsagePart } from '@weir/contract/prices/usage-parts';
import { Badge } from '../../components/text/badge.tsx';
import { formatRate } from '../../lib/format/format-rate.ts';
import { mayI } from '../../lib/api/session.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { isUnpriced, partOf, piecesOf, unitsPerImage } from './price-rows.ts';
import type { PieceName, PriceRow } from './price-rows.ts';
import { parseSearch, stringifySearch } from '../../lib/lists/search-params.ts';

/** Address of the editor of a model's prices. */
export const priceEditor = ({ model, sent }: Pick<PriceRow, 'model' | 'sent'>): string =>
  `/pricing${stringifySearch({ ...parseSearch(location.search), price: sent[0] ?? model })}`;

/** What happens to calls of a model without a price. */
export const unsetTexts: Record<PriceRow['rule'], Message> = {
  refuse: m.price_unset_refused,
  fallback: m.price_unset_fallback,
  free: m.price_unset_free,
};

const perPiece: Record<PieceName, Message> = {
  image: m.price_per_image,
  second: m.price_per_second,
  character: m.price_per_characters,
  search: m.price_per_search,
};

/** An amount, and what it is for. */
const PerPiece = ({ quota, word }: { readonly quota: number; readonly word: Message }) => {
  const t = useT();
  const display = useQuotaDisplay();
  return (
    <>
      {formatRate(quota, display)} <span className="text-12 text-mute">{t(word)}</span>
    </>
  );
};

/** Prices by the piece, one below the other. */
export const Pieces = ({ price }: Pick<PriceRow, 'price'>) =>
  piecesOf(price).map(([name, quota]) => (
    <span key={name} className="block">
      <PerPiece quota={name === 'character' ? quota * 1_000_000 : quota} word={perPiece[name]} />
    </span>
  ));

/** The name of a model, with a mark where its price is not set. */
export const ModelCell = ({ row }: { readonly row: PriceRow }) => {
  const t = useT();
  return (
    <span className="flex items-center gap-2">
      <span className="truncate font-mono text-13" title={row.model}>
        {row.model}
      </span>
      {isUnpriced(row) && (
        <Badge tone="warn" tip={t(unsetTexts[row.rule])}>
          {t(m.price_unset)}
        </Badge>
      )}
      {isUnpriced(row) && mayI('root') && row.channels > 0 && (
        // On a card the name is a button, which must hold no link; its menu has the entry.
        <a
          className="text-13 whitespace-nowrap text-brand underline underline-offset-2 max-md:hidden"
          href={priceEditor(row)}
        >
          {t(m.price_set)}
        </a>
      )}
    </span>
  );
};

const thousand = 1_000_000 / unitsPerImage;

type CellProps = Pick<PriceRow, 'unit' | 'price' | 'rule'>;
const none = <span className="text-mute">—</span>;
const isRefused = ({ price, rule }: Pick<PriceRow, 'price' | 'rule'>): boolean => !price.priced && rule === 'refuse';

/** Price of a million prompt tokens, or one image, or a million characters. */
export const InputCell = ({ unit, price, rule }: CellProps) => {
  const t = useT();
  const display = useQuotaDisplay();
  if (isRefused({ price, rule })) return none;
  if (price.input === 0) return <>{t(m.price_free)}</>;
  if (price.by_piece === true) return <Pieces price={price} />;
  if (unit === 'token') return <>{formatRate(price.input, display)}</>;
  return unit === 'image' ? (
    <PerPiece quota={price.input / thousand} word={m.price_per_image} />
  ) : (
    <PerPiece quota={price.input} word={m.price_per_characters} />
  );
};

export const OutputCell = ({ unit, price, rule }: CellProps) => {
  const t = useT();
  const display = useQuotaDisplay();
  if (unit !== 'token' || price.by_piece === true || isRefused({ price, rule })) return none;
  return price.output === 0 ? t(m.price_free) : formatRate(price.output, display);
};

type PartCellProps = CellProps & { readonly part: UsagePart };

/** Muted if the part has no separate price. */
export const PartCell = ({ unit, price, rule, part }: PartCellProps) => {
  const display = useQuotaDisplay();
  if (unit !== 'token' || price.by_piece === true || isRefused({ price, rule })) return none;
  const own = price.parts.some((each) => each.part === part);
  return <span className={own ? '' : 'text-mute'}>{formatRate(partOf(price, part), display)}</span>;
};

/** What the price depends on besides the tokens. */
export const hasNotes = ({ prices }: Pick<PriceRow, 'prices'>): boolean =>
  prices.length > 1 || prices.some(({ tiers, hours, volume }) => tiers ?? hours ?? volume);

/** Note that some of the channels of a model cost more, and what its price depends on. */
export const MoreCell = ({ prices }: Pick<PriceRow, 'prices'>) => {
  const t = useT();
  const depends = [
    ['tiers', m.price_by_tier],
    ['hours', m.price_by_hour],
    ['volume', m.price_by_volume],
  ] as const;
  const words = depends.flatMap(([name, word]) => (prices.some((price) => price[name]) ? [t(word)] : []));
  return (
    <span className="text-12 text-mute">
      {prices.length > 1 && (
        <span data-tip={t(m.price_several_tip)}>{t(m.price_several, { count: prices.length })}</span>
      )}
      {prices.length > 1 && words.length > 0 && ' · '}
      {words.join(' · ')}
    </span>
  );
};
