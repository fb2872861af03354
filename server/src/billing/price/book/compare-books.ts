import type { BookEntry, PriceBook } from '@weir/contract/prices/price-book';

/** Names a model of a vendor. */
export interface BookModel {
  readonly vendor: string;
  readonly model: string;
}

/** What approving a model of another book would change, from the first day on which the books differ. */
export interface Difference extends BookModel {
  readonly kind: 'added' | 'changed' | 'removed';
  /** That day, as `2026-11-24`; not before the day of the comparison. */
  readonly day: string;
  /** The entries of that day; null: none. */
  readonly before: BookEntry | null;
  readonly after: BookEntry | null;
  /** Members that differ: of the price by their path (`rates.input`), of the rest by their name (`context`). */
  readonly members: readonly string[];
}

export interface BookComparison {
  /** By vendor and model. */
  readonly differences: readonly Difference[];
  /** Models that are the same in both. */
  readonly unchanged: number;
}

/** A model of a vendor, or all of the vendor's. */
export interface ChosenModel {
  readonly vendor: string;
  readonly model?: string | undefined;
}

/** Which models of a new book count, and from when. */
export interface BookChoice {
  /** `all`, or a vendor alone: every model of the new book. Models that it lacks end only if they are named. */
  readonly chosen: 'all' | readonly ChosenModel[];
  /** The day from which the choice counts; null: each price from the day that the new book has. */
  readonly from: string | null;
}

/** A name of its own for each model of each vendor. */
export const keyOf = ({ vendor, model }: BookModel): string => `${vendor}\n${model}`;
const byText = (one: string, other: string): number => Number(one > other) - Number(one < other);
const byDay = (one: BookEntry, other: BookEntry): number => byText(one.from, other.from);

const modelsOf = (book: PriceBook | null): ReadonlyMap<string, readonly BookEntry[]> =>
  new Map(
    [...Map.groupBy(book?.entries ?? [], keyOf)].map(([key, entries]) => [key, entries.toSorted(byDay)] as const),
  );

const inForce = (entries: readonly BookEntry[], day: string): BookEntry | null =>
  entries.findLast(({ from }) => from <= day) ?? null;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Amounts that are written differently are the same: `0.20` and `0.2`. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+\.\d*0$/.test(value) ? value.replace(/\.?0+$/, '') : value;

/** A text that is the same for equal values, whatever the order of their members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => byText(one, other)))
      : plain(member),
  ) ?? '';

const contentOf = (entry: BookEntry | null): string => canonical(entry === null ? null : { ...entry, from: '' });

/** Members of an entry by their path: those of the price one level deeper, for each is shown apart. */
const pathsOf = (entry: BookEntry | null): ReadonlyMap<string, unknown> => {
  if (entry === null) return new Map();
  const { price, vendor: _vendor, model: _model, from: _from, ...facts } = entry;
  const { rates = {}, units = {}, classes = {}, ...others } = price ?? {};
  const nested = Object.entries({ rates, units, classes }).flatMap(([name, members]) =>
    Object.entries(members).map(([member, value]) => [`${name}.${member}`, value] as const),
  );
  return new Map([...nested, ...Object.entries({ ...others, ...facts })].filter(([, value]) => value !== undefined));
};

const changedMembers = (before: BookEntry | null, after: BookEntry | null): string[] => {
  const [old, next] = [pathsOf(before), pathsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])].filter(
    (path) => canonical(old.get(path)) !== canonical(next.get(path)),
  );
};

/** The first day, not before `day`, on which the entries in force differ; undefined: none. */
const firstDifference = (old: readonly BookEntry[], next: readonly BookEntry[], day: string): string | undefined => {
  const days = [day, ...[...old, ...next].map(({ from }) => from).filter((from) => from > day)].toSorted(byText);
  return days.find((each) => contentOf(inForce(old, each)) !== contentOf(inForce(next, each)));
};

/** The latest entry of those that count on a day or later, moved to that day, and all later ones. */
const fromDayOn = (entries: readonly BookEntry[], day: string): readonly BookEntry[] => {
  const first = inForce(entries, day);
  return [...(first === null ? [] : [{ ...first, from: day }]), ...entries.filter(({ from }) => from > day)];
};

/** The entries of a model after its new ones were approved: old ones stay for the days before. */
const replaced = (old: readonly BookEntry[], next: readonly BookEntry[], from: string | null): readonly BookEntry[] => {
  const added = from === null ? next : fromDayOn(next, from);
  const [first] = added;
  return first === undefined ? old : [...old.filter((entry) => entry.from < first.from), ...added];
};

/** The entries of a model that is taken out: without a price from a day on, or gone. */
const ended = (old: readonly BookEntry[], from: string | null): readonly BookEntry[] => {
  const last = old.at(-1);
  if (from === null || last === undefined) return [];
  const { vendor, model, mode } = last;
  return [...old.filter((entry) => entry.from < from), { vendor, model, mode, from }];
};

/** Compares the prices of a day and of all later days; `old` is null where no book is in force. */
export const compareBooks = (old: PriceBook | null, next: PriceBook, day: string): BookComparison => {
  const [before, after] = [modelsOf(old), modelsOf(next)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted(byText);
  const differences = keys.flatMap((key): Difference[] => {
    const [oldEntries, nextEntries] = [before.get(key) ?? [], after.get(key) ?? []];
    const [named] = nextEntries.length > 0 ? nextEntries : oldEntries;
    const result = nextEntries.length === 0 ? [] : replaced(oldEntries, nextEntries, null);
    const at = firstDifference(oldEntries, result, day);
    if (named === undefined || at === undefined) return [];
    const [one, other] = [inForce(oldEntries, at), inForce(result, at)];
    const kind = nextEntries.length === 0 ? 'removed' : one === null ? 'added' : 'changed';
    const { vendor, model } = named;
    return [{ vendor, model, kind, day: at, before: one, after: other, members: changedMembers(one, other) }];
  });
  return { differences, unchanged: keys.length - differences.length };
};

const wantedKeys = (next: PriceBook, chosen: BookChoice['chosen']): ReadonlySet<string> => {
  if (chosen === 'all') return new Set(next.entries.map(keyOf));
  const vendors = new Set(chosen.flatMap(({ vendor, model }) => (model === undefined ? [vendor] : [])));
  const ofVendors = next.entries.filter(({ vendor }) => vendors.has(vendor));
  const named = chosen.flatMap(({ vendor, model }) => (model === undefined ? [] : [{ vendor, model }]));
  return new Set([...ofVendors, ...named].map(keyOf));
};

/** The book that is in force after an approval. It has the name of the new one; what was not chosen stays as it was. */
export const approvedBook = (old: PriceBook | null, next: PriceBook, { chosen, from }: BookChoice): PriceBook => {
  const [before, after] = [modelsOf(old), modelsOf(next)];
  const wanted = wantedKeys(next, chosen);
  const entries = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const oldEntries = before.get(key) ?? [];
    const nextEntries = after.get(key);
    if (!wanted.has(key)) return oldEntries;
    return nextEntries === undefined ? ended(oldEntries, from) : replaced(oldEntries, nextEntries, from);
  });
  return { name: next.name, entries };
};

/** One entry of each model that counts always: the prices after all differences, whenever each begins. */
export const bookAfter = (old: PriceBook | null, { differences }: BookComparison, day: string): PriceBook => {
  const always = '1970-01-01';
  const changed = new Map(differences.map((difference) => [keyOf(difference), difference.after]));
  const kept = [...modelsOf(old)].flatMap(([key, entries]) => (changed.has(key) ? [] : (inForce(entries, day) ?? [])));
  return {
    name: 'preview',
    entries: [...kept, ...[...changed.values()].filter((entry) => entry !== null)].map((entry) => ({
      ...entry,
      from: always,
    })),
  };
};
