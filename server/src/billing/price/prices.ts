import { createHash } from 'node:crypto';
import type { OptionKey } from '@weir/contract/options';
import type { PriceBook } from '@weir/contract/prices/price-book';
import type { Database } from '../../store/database.ts';
import { type Options, priceRevision } from '../../store/options.ts';
import { listOwnPrices, type OwnPrice } from '../../store/prices/own-prices.ts';
import { findPriceBook, type StoredBook } from '../../store/prices/price-books.ts';
import { type BookIndex, createBookIndex } from './book/book-index.ts';
import { createPriceLists } from './book/price-lists.ts';
import { readShippedBook } from './book/shipped-book.ts';
import defaults from './default-ratios.json' with { type: 'json' };
import { createOwnPriceIndex, type OwnPriceIndex } from './own-price-index.ts';
import type { PriceLists, UnpricedRule } from './price-question.ts';
import { createPriceTable, type PriceTable } from './price-table.ts';
import { one, parseRatio } from './ratio.ts';
import type { RatioTexts } from './ratio-tables.ts';
import { type ShownRatios, shownRatios, withoutRepeated } from './shown-ratios.ts';

/** A price book with its index: limits, abilities and ends of models. */
export interface KnownModels {
  readonly book: PriceBook;
  readonly index: BookIndex;
}

/** The prices of now. */
export interface Prices {
  current(): PriceTable;
  /** The list prices in force; null: no price book was approved. */
  book(): BookIndex | null;
  /** What is known of models, whether or not its prices count: the price book in force, else the one of the program. */
  known(): KnownModels;
  own(): readonly OwnPrice[];
  /** The ratio options as other consoles of the contract show them: what counts where the operator set nothing. */
  shown(): ShownRatios;
  /** The prices if another book were in force, with what else its approval changes. */
  preview(book: PriceBook): PricePreview;
  /**
   * What stays the operator's of a ratio option when a book is approved. Where none was in force, whole tables were
   * stored: what only repeats the prices that come with the program gives way to the lists.
   */
  ratiosAfterApproval(texts: RatioOptions): RatioOptions;
  /** Reads price book and own prices again; resolves when they count here. */
  reload(): Promise<void>;
  close(): void;
}

/** The texts of the options that have ratios by model; empty: never set. */
export type RatioOptions = Readonly<Record<keyof ShownRatios, string>>;

/** Prices of now, and of now with another book. */
export interface PricePreview {
  readonly before: PriceTable;
  readonly after: PriceTable;
  readonly listsBefore: PriceLists | null;
  readonly listsAfter: PriceLists;
}

export interface PricesDeps {
  readonly db: Pick<Database, 'read'>;
  readonly options: Pick<Options, 'text' | 'watch'>;
  readonly clock: { now(): number };
  readonly onError: (error: unknown) => void;
}

const keys = [
  'ModelRatio',
  'CompletionRatio',
  'GroupRatio',
  'PartRatio',
  'QuotaPerUnit',
  'UnpricedModels',
] as const satisfies readonly OptionKey[];
const versionBytes = 6;
const dayMs = 86_400_000;

/** The ratios that come with the program, as option texts. */
export const builtInRatios: RatioTexts = {
  modelRatio: JSON.stringify(defaults.model_ratio),
  completionRatio: JSON.stringify(defaults.completion_ratio),
  groupRatio: JSON.stringify(defaults.group_ratio),
  partRatio: JSON.stringify(defaults.part_ratio),
};

/** Everything that prices are made of, apart from the time. */
interface Sources {
  readonly operator: RatioTexts;
  readonly quotaPerUnit: string;
  readonly book: StoredBook | null;
  readonly own: readonly OwnPrice[];
}

/** What is empty or was never set adds nothing to the name, so that it stays what it was before these existed. */
const namingOf = ({ operator, quotaPerUnit, book, own }: Sources): readonly unknown[] => [
  operator.modelRatio,
  operator.completionRatio,
  operator.groupRatio,
  ...(['', '{}'].includes(operator.partRatio) ? [] : [operator.partRatio]),
  ...(book === null && own.length === 0 ? [] : [{ book: book?.id ?? 0, own, quotaPerUnit }]),
];

/** A digest of the sources: the same on every node and after every restart. */
const versionOf = (sources: Sources): number =>
  createHash('sha256')
    .update(JSON.stringify(namingOf(sources)))
    .digest()
    .readUIntBE(0, versionBytes);

const unpricedRule = (text: string): UnpricedRule => (text === 'refuse' || text === 'free' ? text : 'fallback');

/** Milliseconds before a reading that failed is tried again. */
const retryMs = 1000;

/** Price book and own prices as they were last read, with their indexes. */
interface StoredPrices {
  readonly book: StoredBook | null;
  readonly lists: ReturnType<typeof createPriceLists> | null;
  readonly own: readonly OwnPrice[];
  readonly ownIndex: OwnPriceIndex;
}

const readStored = async (db: PricesDeps['db'], last: StoredPrices | undefined): Promise<StoredPrices> => {
  const book = await findPriceBook(db, last?.book ?? null);
  const own = await listOwnPrices(db);
  // A book without entries is none: an operator went back to what comes with the program.
  const isEmpty = book === null || book.book.entries.length === 0;
  const lists = isEmpty ? null : book === last?.book ? last.lists : createPriceLists(book.book);
  return { book, lists, own, ownIndex: createOwnPriceIndex(own) };
};

const operatorTexts = (options: PricesDeps['options']): RatioTexts => {
  const partRatio = options.text('PartRatio');
  return {
    modelRatio: options.text('ModelRatio'),
    completionRatio: options.text('CompletionRatio'),
    groupRatio: options.text('GroupRatio'),
    partRatio: partRatio === builtInRatios.partRatio ? '' : partRatio,
  };
};

/** The table of now, and the instant (unix milliseconds) until which it counts: the day's end, or the next own price. */
const buildTable = ({ options, clock }: PricesDeps, { book, lists, own, ownIndex }: StoredPrices) => {
  const operator = operatorTexts(options);
  const quotaPerUnit = options.text('QuotaPerUnit');
  const madeAtMs = clock.now();
  const nextDay = (Math.floor(madeAtMs / dayMs) + 1) * dayMs;
  const table = createPriceTable({
    version: versionOf({ operator, quotaPerUnit, book, own }),
    operator,
    builtIn: builtInRatios,
    lists,
    own: ownIndex,
    unitsPerDollar: parseRatio(quotaPerUnit) ?? one,
    unpriced: unpricedRule(options.text('UnpricedModels')),
    madeAtMs,
  });
  return { table, untilMs: Math.min(nextDay, ownIndex.nextChange(Math.floor(madeAtMs / 1000)) * 1000) };
};

const knownModels = (book: PriceBook): KnownModels => ({ book, index: createBookIndex(book) });

/** The options with other ratios. */
const optionsWith = (options: PricesDeps['options'], { ModelRatio, CompletionRatio }: RatioOptions) => {
  const texts = new Map<OptionKey, string>([
    ['ModelRatio', ModelRatio],
    ['CompletionRatio', CompletionRatio],
  ]);
  return { ...options, text: (key: OptionKey) => texts.get(key) ?? options.text(key) };
};

/** Reads price book and own prices, and keeps the price table current: a call sees one table from its start to its end. */
export const loadPrices = async (deps: PricesDeps): Promise<Prices> => {
  const { db, options, clock, onError } = deps;
  let stored = await readStored(db, undefined);
  let built = buildTable(deps, stored);
  let retry: NodeJS.Timeout | undefined;
  let shipped: KnownModels | undefined;

  const rebuild = () => {
    built = buildTable(deps, stored);
  };
  const reload = async (): Promise<void> => {
    clearTimeout(retry);
    try {
      stored = await readStored(db, stored);
      rebuild();
    } catch (error) {
      onError(error);
      retry = setTimeout(() => void reload(), retryMs).unref();
    }
  };
  const unwatch = [options.watch(keys, rebuild), options.watch([priceRevision], () => void reload())];
  const current = (): PriceTable => {
    if (clock.now() >= built.untilMs) rebuild();
    return built.table;
  };
  const shown = (): ShownRatios => {
    const { lists, own } = stored;
    const sources = { builtIn: builtInRatios, index: lists?.index() ?? null, own, at: new Date(clock.now()) };
    return shownRatios(sources, options);
  };
  const ratiosAfterApproval = (texts: RatioOptions): RatioOptions =>
    stored.lists === null ? withoutRepeated(texts, shown()) : texts;
  return {
    current,
    book: () => stored.lists?.index() ?? null,
    known: () => {
      const { book, lists } = stored;
      if (book !== null && lists !== null) return { book: book.book, index: lists.index() };
      return (shipped ??= knownModels(readShippedBook()));
    },
    own: () => stored.own,
    shown,
    ratiosAfterApproval,
    preview: (book) => {
      const next = { id: 0, book };
      const lists = createPriceLists(book);
      const ratios = ratiosAfterApproval({
        ModelRatio: options.text('ModelRatio'),
        CompletionRatio: options.text('CompletionRatio'),
      });
      const previewed = { ...deps, options: optionsWith(options, ratios) };
      const { table } = buildTable(previewed, { ...stored, book: next, lists });
      return { before: current(), after: table, listsBefore: stored.lists, listsAfter: lists };
    },
    reload,
    close: () => {
      clearTimeout(retry);
      for (const end of unwatch) end();
    },
  };
};
