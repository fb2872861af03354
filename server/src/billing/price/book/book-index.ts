import type { BookEntry, PriceBook } from '@weir/contract/prices/price-book';
import { dateOf, nameCandidates, regionOf } from './model-names.ts';

/** Vendors that make models, the first counts where several list a name; with the families that they make themselves. */
const makers: readonly (readonly [vendor: string, own?: RegExp])[] = [
  ['openai'],
  ['anthropic'],
  ['gemini'],
  ['mistral', /^(?!.*glm)/i],
  ['deepseek'],
  ['xai'],
  ['alibaba', /^(?:qwen|qwq|qvq|wan|happyhorse)/i],
  ['moonshot'],
  ['zhipu'],
  ['minimax'],
  ['cohere'],
  ['tencent', /^hunyuan/i],
  ['volcengine', /^doubao/i],
  ['perplexity', /^(?:sonar|pplx-(?:embed|decider))/i],
  ['voyage'],
  ['jina'],
  ['bedrock', /^amazon\./i],
  // OpenAI's models that its own list lacks.
  ['azure', /^(?:gpt-|o\d|text-embedding-)/i],
];

/** All entries of a model of a vendor, the latest first. */
interface Listed {
  readonly model: string;
  readonly forms: readonly string[];
  readonly entries: readonly BookEntry[];
  /** Place of its maker in the list above; -1 of a vendor that does not make it. */
  readonly maker: number;
  readonly date: string;
  readonly region: number;
}

/** A name without a region is called by the profile of the key's region; they cost the same in all but governments'. */
const regionOrder = (region: string): number => {
  if (region === 'us') return 0;
  if (region === 'us-gov') return 4;
  if (region === 'global') return 3;
  return region === '' ? 2 : 1;
};

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** The better one first, of models that have a form of their names in common. */
const compareFor = (form: string) => (a: Listed, b: Listed) =>
  Number(b.forms[0] === form) - Number(a.forms[0] === form) ||
  a.maker - b.maker ||
  Number(a.date !== '') - Number(b.date !== '') ||
  byText(b.date, a.date) ||
  a.region - b.region ||
  byText(a.model, b.model);

type Forms = ReadonlyMap<string, readonly Listed[]>;

const indexForms = (models: readonly Listed[]): Forms => {
  const forms = new Map<string, Listed[]>();
  for (const listed of models) {
    for (const form of listed.forms) {
      const there = forms.get(form);
      if (there === undefined) forms.set(form, [listed]);
      else there.push(listed);
    }
  }
  for (const [form, there] of forms) if (there.length > 1) there.sort(compareFor(form));
  return forms;
};

const makerOf = (vendor: string, model: string): number =>
  makers.findIndex(([name, own]) => name === vendor && (own === undefined || own.test(model)));

const listModels = (book: PriceBook): ReadonlyMap<string, readonly Listed[]> => {
  const vendors = new Map<string, Map<string, BookEntry[]>>();
  for (const entry of book.entries) {
    const models = vendors.get(entry.vendor) ?? new Map<string, BookEntry[]>();
    vendors.set(entry.vendor, models);
    models.set(entry.model, [...(models.get(entry.model) ?? []), entry]);
  }
  return new Map(
    [...vendors].map(([vendor, models]) => [
      vendor,
      [...models].map(([model, entries]) => ({
        model,
        forms: nameCandidates(model),
        entries: entries.toSorted((a, b) => byText(b.from, a.from)),
        maker: makerOf(vendor, model),
        date: dateOf(model),
        region: regionOrder(regionOf(model)),
      })),
    ]),
  );
};

const inForce = ({ entries }: Listed, day: string): BookEntry | undefined => entries.find(({ from }) => from <= day);

/**
 * The entry of the most exact form of the name that the list has. A model that is listed without a price has none, even
 * where a less exact form has one.
 */
const findPriced = (forms: Forms, model: string, day: string): BookEntry | undefined => {
  for (const form of nameCandidates(model)) {
    const entries = (forms.get(form) ?? []).flatMap((listed) => inForce(listed, day) ?? []);
    if (entries.length > 0) return entries.find(({ price }) => price !== undefined);
  }
  return undefined;
};

export interface BookIndex {
  /** What the model costs at the vendor on a day as `2026-11-24`; undefined where its list has no price. */
  readonly ofVendor: (vendor: string, model: string, day: string) => BookEntry | undefined;
  /** What it costs at its maker. A more exact name counts before an earlier maker. */
  readonly ofMaker: (model: string, day: string) => BookEntry | undefined;
  /** The entries of all makers that are in force on a day. */
  readonly makerEntries: (day: string) => readonly BookEntry[];
  /** The latest entry of the model, with or without a price: at the vendor, or at its maker. */
  readonly facts: (vendor: string | undefined, model: string) => BookEntry | undefined;
}

/** Finds the entry of a model by any of the names that vendors and clients have for it. */
export const createBookIndex = (book: PriceBook): BookIndex => {
  const models = listModels(book);
  const made = [...models.values()].flat().filter(({ maker }) => maker >= 0);
  const ofMakers = indexForms(made);
  const ofVendors = new Map([...models].map(([vendor, listed]) => [vendor, indexForms(listed)]));
  const none: Forms = new Map();
  return {
    ofVendor: (vendor, model, day) => findPriced(ofVendors.get(vendor) ?? none, model, day),
    ofMaker: (model, day) => findPriced(ofMakers, model, day),
    makerEntries: (day) => made.toSorted((a, b) => b.maker - a.maker).flatMap((listed) => inForce(listed, day) ?? []),
    facts: (vendor, model) => {
      const forms = vendor === undefined ? ofMakers : (ofVendors.get(vendor) ?? none);
      for (const form of nameCandidates(model)) {
        const [listed] = forms.get(form) ?? [];
        if (listed !== undefined) return listed.entries[0];
      }
      return undefined;
    },
  };
};
