import type { BookDifference } from '@weir/contract/prices/book-updates';
import type { PriceCard } from '@weir/contract/prices/price-book';
import type { BookView } from './book-search.ts';

/** A row of the table: differences have no ids of their own. */
export type BookRow = BookDifference & { readonly id: number };

export const toRows = (differences: readonly BookDifference[]): readonly BookRow[] =>
  differences.map((difference, index) => ({ ...difference, id: index + 1 }));

/** A rate that differs: dollars for a million tokens. */
export interface RateChange {
  /** `input`, `output`, or a part of one of them. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The change relative to before, as 0.5; undefined: from or to nothing. */
  readonly share: number | undefined;
}

const ratesOf = (card: PriceCard | null): ReadonlyMap<string, string | undefined> =>
  new Map(Object.entries(card?.rates ?? {}));

/** The rates that differ, input and output first; all of a model that is new or gone. */
export const rateChanges = ({ before, after }: Pick<BookDifference, 'before' | 'after'>): readonly RateChange[] => {
  const [old, next] = [ratesOf(before), ratesOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name) => {
    const [from, to] = [old.get(name), next.get(name)];
    const [fromNumber, toNumber] = [Number(from ?? Number.NaN), Number(to ?? Number.NaN)];
    if (fromNumber === toNumber) return [];
    const share = fromNumber > 0 && to !== undefined ? toNumber / fromNumber - 1 : undefined;
    return [{ name, before: from, after: to, share }];
  });
};

/** What callers would have paid more for the last month's traffic, in quota units; 0 where they would be refused. */
export const moreCharged = ({ effect }: Pick<BookDifference, 'effect'>): number =>
  effect === null || effect.refused ? 0 : effect.charge_after - effect.charge_before;

/** What the vendor would have charged more, in nano-dollars; null: not known. */
export const moreCost = ({ effect }: Pick<BookDifference, 'effect'>): number | null =>
  effect === null || effect.cost_before === null || effect.cost_after === null
    ? null
    : effect.cost_after - effect.cost_before;

/** A model that is offered now, or was used in the last month. */
export const isAffected = ({ offered, effect }: Pick<BookDifference, 'offered' | 'effect'>): boolean =>
  offered || effect !== null;

const isIn: Readonly<Record<BookView, (row: BookDifference) => boolean>> = {
  affected: isAffected,
  dearer: (row) => rateChanges(row).some(({ before, after }) => Number(after) > Number(before)),
  cheaper: (row) => rateChanges(row).some(({ before, after }) => Number(after) < Number(before)),
  new: ({ kind }) => kind === 'added',
  gone: ({ kind, members, ends }) => kind === 'removed' || (members.includes('ends') && ends !== ''),
};

export interface BookFilter {
  readonly q?: string | undefined;
  readonly view?: BookView | undefined;
  readonly vendor?: string | undefined;
}

/** Whether a row is listed. */
export const keepOf = ({ q = '', view, vendor }: BookFilter): ((row: BookDifference) => boolean) => {
  const query = q.toLowerCase();
  return (row) =>
    `${row.vendor} ${row.model}`.toLowerCase().includes(query) &&
    (vendor === undefined || row.vendor === vendor) &&
    (view === undefined || isIn[view](row));
};

/** What an approval of all listed rows takes: models that the book lacks only where these are what is listed. */
export const approvable = <Row extends BookDifference>(rows: readonly Row[], filter: BookFilter): readonly Row[] =>
  filter.view === 'gone' ? rows : rows.filter(({ kind }) => kind !== 'removed');

export interface BookTotals {
  readonly models: number;
  readonly calls: number;
  readonly charged: number;
  /** Quota units. */
  readonly moreCharged: number;
  /** Nano-dollars, of those for which it is known. */
  readonly moreCost: number;
  /** Models whose calls would be refused. */
  readonly refused: number;
}

export const totalsOf = (rows: readonly BookDifference[]): BookTotals => ({
  models: rows.length,
  calls: rows.reduce((sum, { effect }) => sum + (effect?.calls ?? 0), 0),
  charged: rows.reduce((sum, { effect }) => sum + (effect?.charged ?? 0), 0),
  moreCharged: rows.reduce((sum, row) => sum + moreCharged(row), 0),
  moreCost: rows.reduce((sum, row) => sum + (moreCost(row) ?? 0), 0),
  refused: rows.filter(({ effect }) => effect?.refused === true).length,
});

/** Members of a price or an entry that are named in groups, beside the rates. */
export const otherMembers = ({ members, kind }: Pick<BookDifference, 'members' | 'kind'>): readonly OtherMember[] => {
  if (kind !== 'changed') return [];
  const groups = members.flatMap((member) => {
    const [group = ''] = member.split('.');
    if (group === 'rates') return [];
    return priceMembers.find((known) => known === group) ?? (group === 'ends' ? 'ends' : 'facts');
  });
  return [...new Set(groups)];
};
const priceMembers = ['tiers', 'classes', 'units', 'hours', 'volume'] as const;
export type OtherMember = (typeof priceMembers)[number] | 'ends' | 'facts';

const nanoPerDollar = 1e9;

/** Nano-dollars as quota units, for amounts that are shown as money. */
export const nanosToQuota = (nanos: number, quotaPerDollar: number): number =>
  Math.round((nanos / nanoPerDollar) * quotaPerDollar);

/** `+12.3%`; without decimals from 100 on. */
export const shareText = (share: number): string => {
  const percent = share * 100;
  const size = Math.abs(percent);
  const digits = size >= 100 ? 0 : 1;
  const text = size.toFixed(digits).replace(/\.0$/, '');
  return `${percent < 0 ? '−' : '+'}${text.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')}%`;
};
