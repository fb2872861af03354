import { isRecord } from '../../../lib/is-record.ts';

/** A table of ratios: name → number. */
export type Ratios = Readonly<Record<string, number>>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isRatios = (value: unknown): value is Ratios =>
  isRecord(value) &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'number' && Number.isFinite(each));

/** The table of a text; undefined: the text is no JSON object of numbers, which the server refuses too. */
export const readRatios = (text: string): Ratios | undefined => {
  const value = parse(text);
  return isRatios(value) ? value : undefined;
};

export const ratiosText = (ratios: Ratios): string => JSON.stringify(ratios, null, 2);

/** One entry per line, unless it would lose digits: a number may be written with more digits than it is parsed with. */
export const laidOut = (text: string): string => {
  const ratios = readRatios(text);
  return ratios !== undefined && JSON.stringify(ratios) === text ? ratiosText(ratios) : text;
};

export interface RatioChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The effect of replacing `before` by `after`, by name. */
export const ratioChanges = (before: Ratios, after: Ratios): RatioChanges => ({
  changed: Object.keys(after).filter((name) => Object.hasOwn(before, name) && before[name] !== after[name]),
  added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
  removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
});

/** One line per change: `gpt-4: 15 → 20`. */
export const changeLines = (before: Ratios, after: Ratios): string[] => {
  const { changed, added, removed } = ratioChanges(before, after);
  return [
    ...changed.map((name) => `${name}: ${before[name]} → ${after[name]}`),
    ...added.map((name) => `+ ${name}: ${after[name]}`),
    ...removed.map((name) => `− ${name}`),
  ];
};

/** Parses rows copied from a spreadsheet: a name, a tab or comma, a number; other rows are skipped. */
export const pastedRatios = (text: string): Ratios =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name = '', number = ''] = /^\s*"?(.+?)"?\s*[\t,;:]\s*(-?[\d.]+(?:e-?\d+)?)\s*,?\s*$/i.exec(line) ?? [];
      const value = Number(number);
      return name !== '' && number !== '' && Number.isFinite(value) ? [[name, value]] : [];
    }),
  );
