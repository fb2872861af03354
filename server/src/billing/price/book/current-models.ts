import { channelTypeModels } from '@weir/contract/catalogue/model-catalogue';
import { vendorList, vendors } from '@weir/contract/catalogue/vendors';
import { type BookEntry, modelModes, type PriceBook } from '@weir/contract/prices/price-book';
import { vendorsOfChannelType } from './channel-vendors.ts';
import { nameCandidates, regionOf } from './model-names.ts';

type Mode = BookEntry['mode'];

/** What the relay has no path for. */
const notRelayed: ReadonlySet<Mode> = new Set(['video', 'other']);

/**
 * The name to offer: a Claude on Bedrock has its plain name, which the provider completes with the profile of the key's
 * region, so that an id with a region is offered by that name alone. Undefined: nothing to offer.
 */
const offeredName = ({ vendor, model }: BookEntry): string | undefined => {
  // Fine-tuned models have names of their own.
  if (model.startsWith('ft:') || model.endsWith('@default')) return undefined;
  if (vendor !== 'bedrock') return model;
  const claude = nameCandidates(model).find((name) => name.startsWith('claude-'));
  return claude ?? (regionOf(model) === '' ? model : undefined);
};

/** The name without a date and what vendors add to it. */
const plainOf = (name: string): string => nameCandidates(name).at(-1) ?? name;

/** A number of one or two digits, perhaps with one behind a point or a dash; no count of parameters, no length. */
const version = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2})(?![\d.bkp]))?(?![\dbkp])/;

/** `gpt-5.5` is 5.5, `claude-opus-4-8` is 4.8. -1: the name has none. */
export const versionOf = (name: string): number => {
  const [, major, minor] = version.exec(plainOf(name)) ?? [];
  return major === undefined ? -1 : Number(`${major}.${minor ?? 0}`);
};

/** The words of a name: models of one line of a vendor differ in their versions alone. */
export const lineOf = (name: string): string =>
  plainOf(name)
    .replace(version, '')
    .split(/[-.:/]+/)
    .filter((word) => word !== '')
    .join('-');

/** Path and first word, as `gpt` or `@cf/meta/llama`: the models that belong together in a list. */
const familyOf = (name: string): string => /^(?:.*\/)?[a-z]*/i.exec(name)?.[0] ?? '';

interface Offered {
  readonly name: string;
  readonly mode: Mode;
}

/** By what they are for, then families of many and new models first, then the newest version, then the name. */
const inOrder = (models: readonly Offered[]): readonly string[] => {
  const weights = new Map<string, number>();
  const weightOf = (name: string): number => weights.get(familyOf(name)) ?? 0;
  for (const { name } of models) weights.set(familyOf(name), weightOf(name) + Math.max(0, versionOf(name)));
  const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);
  return models
    .toSorted(
      (a, b) =>
        modelModes.indexOf(a.mode) - modelModes.indexOf(b.mode) ||
        weightOf(b.name) - weightOf(a.name) ||
        byText(familyOf(a.name), familyOf(b.name)) ||
        versionOf(b.name) - versionOf(a.name) ||
        byText(a.name, b.name),
    )
    .map(({ name }) => name);
};

/** Days as `2026-11-24`. */
interface Days {
  readonly day: string;
  /** Models that end by then do not count. */
  readonly until: string;
}

/** The models of each vendor on a day, with a price and not ended, by the names that are offered. */
const currentOf = (book: PriceBook, { day, until }: Days): ReadonlyMap<string, ReadonlyMap<string, Offered>> => {
  const byVendor = new Map<string, Map<string, Offered>>();
  for (const entry of book.entries) {
    const { vendor, mode, price, from, ends = '9999' } = entry;
    const name = offeredName(entry);
    if (name === undefined || price === undefined || notRelayed.has(mode) || from > day || ends <= until) continue;
    const models = byVendor.get(vendor) ?? new Map<string, Offered>();
    byVendor.set(vendor, models.set(name, { name, mode }));
  }
  return byVendor;
};

/** Gateways and servers of OpenAI's models offer what OpenAI does. */
const openAiNames = channelTypeModels[String(vendors.openai.id)]?.join(' ');
const vendorOfList = (type: number): string | undefined =>
  vendorsOfChannelType(type)[0] ?? (channelTypeModels[String(type)]?.join(' ') === openAiNames ? 'openai' : undefined);

/** What names of the catalogue say that they are for; no other list knows it of older models. */
const namedModes: readonly (readonly [Mode, RegExp])[] = [
  ['embedding', /embed|^bge-|^tao-/i],
  ['image', /dall-e|image|cogview|wanx|diffusion|flux|ideogram|recraft/i],
  ['transcription', /whisper/i],
  ['speech', /^tts|speech/i],
  ['moderation', /moderation/i],
  ['rerank', /rerank/i],
];
const namedMode = (name: string): Mode => namedModes.find(([, words]) => words.test(name))?.[0] ?? 'chat';

/**
 * Names of the models that each channel type offers on a day as `2026-11-24`, by the type: those that its vendor has then,
 * each once. Where the book has none of the vendor's, or none for a use, the catalogue's names remain.
 */
export const currentModels = (book: PriceBook, day: string, until = day): ReadonlyMap<number, readonly string[]> => {
  const byVendor = currentOf(book, { day, until });
  return new Map(
    vendorList.map(({ id }) => {
      const known = channelTypeModels[String(id)] ?? [];
      const current = [...(byVendor.get(vendorOfList(id) ?? '')?.values() ?? [])];
      if (current.length === 0) return [id, known];
      const modes = new Set(current.map(({ mode }) => mode));
      const others = known.filter((name) => !modes.has(namedMode(name)));
      return [id, [...new Set([...inOrder(current), ...others])]];
    }),
  );
};
