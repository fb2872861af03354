import type { PriceCard } from '@weir/contract/prices/price-book';
import { completionParts, promptParts } from '@weir/contract/prices/usage-parts';
import { exactToDecimal, readDollars, readExact } from '../../../lib/format/exact.ts';

export const rateNames = ['input', 'output', ...promptParts, ...completionParts] as const;
export type RateName = (typeof rateNames)[number];
export const unitNames = ['image', 'second', 'character', 'search'] as const;
export type UnitName = (typeof unitNames)[number];

type Typed<Name extends string> = Readonly<Partial<Record<Name, string>>>;

export interface TierDraft {
  /** Tokens of the prompt. */
  readonly above: string;
  readonly rates: Typed<RateName>;
}

export interface WindowDraft {
  /** 1 is Monday; empty: every day. */
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly factor: string;
}

export interface StepDraft {
  /** Tokens of the account in the month, before the call. */
  readonly above: string;
  readonly factor: string;
}

/** A price as it is typed. */
export interface PriceDraft {
  readonly free: boolean;
  readonly rates: Typed<RateName>;
  readonly units: Typed<UnitName>;
  readonly tiers: readonly TierDraft[];
  readonly zone: string;
  readonly windows: readonly WindowDraft[];
  /** Time zone of the month that volume is counted in. */
  readonly volumeZone: string;
  readonly steps: readonly StepDraft[];
  /** What the form does not show, kept as it is. */
  readonly rest: Pick<PriceCard, 'classes'>;
}

export const blankDraft: PriceDraft = {
  free: false,
  rates: {},
  units: {},
  tiers: [],
  zone: '',
  windows: [],
  volumeZone: '',
  steps: [],
  rest: {},
};

const isZero = (text: string | undefined): boolean => text === undefined || /^[0.]*$/.test(text);

const ratesIn = (rates: Readonly<Record<string, unknown>> | undefined): Typed<RateName> =>
  Object.fromEntries(
    rateNames.flatMap((name) => {
      const value = rates?.[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );

export const draftOf = (card: PriceCard): PriceDraft => {
  const { rates, units = {}, tiers = [], hours, classes, volume } = card;
  const free =
    rates !== undefined &&
    Object.keys(units).length === 0 &&
    tiers.length === 0 &&
    Object.values(rates).every((amount) => isZero(amount));
  return {
    free,
    rates: free ? {} : ratesIn(rates),
    units: Object.fromEntries(
      unitNames.flatMap((name) => (units[name] === undefined ? [] : [[name, units[name]] as const])),
    ),
    tiers: tiers.map(({ above, ...changed }) => ({ above: String(above), rates: ratesIn(changed) })),
    zone: hours?.zone ?? '',
    windows: (hours?.windows ?? []).map(({ days = [], from, to, factor }) => ({ days, from, to, factor })),
    volumeZone: volume?.zone ?? '',
    steps: (volume?.steps ?? []).map(({ above, factor }) => ({ above: String(above), factor })),
    rest: { ...(classes && { classes }) },
  };
};

const ratePlaces = 12;

/** Rates that were made of ratios, as amounts that can be typed: rounded up where a decimal has an end. */
export const draftOfRates = (rates: Readonly<Record<string, string>>): PriceDraft => ({
  ...blankDraft,
  rates: Object.fromEntries(
    rateNames.flatMap((name) => {
      const amount = readExact(rates[name] ?? '');
      return amount === undefined ? [] : [[name, exactToDecimal(amount, ratePlaces)] as const];
    }),
  ),
});

/** Fields whose value cannot be read, as `input`, `tiers.0.output`, `windows.1.factor`. */
export type Problems = ReadonlySet<string>;

interface Read {
  readonly card: PriceCard;
  readonly problems: Problems;
}

export const factorForm = /^(?:0|[1-9]\d{0,3})(?:\.\d{1,6})?$/;
export const timeForm = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/;

/** Reads typed amounts; what cannot be read is added to the problems. */
const readAmounts = <Name extends string>(
  typed: Typed<Name>,
  names: readonly Name[],
  prefix: string,
  problems: Set<string>,
): Partial<Record<Name, string>> => {
  const amounts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = typed[name] ?? '';
    if (text.trim() === '') continue;
    const amount = readDollars(text);
    if (amount === undefined) problems.add(prefix + name);
    else amounts[name] = amount;
  }
  return amounts;
};

/** A whole number of tokens from 1, perhaps with separators. */
const readTokens = (text: string): number | undefined => {
  const tokens = Number(text.replaceAll(/[,\s]/g, ''));
  return Number.isSafeInteger(tokens) && tokens >= 1 ? tokens : undefined;
};

const readTiers = (tiers: readonly TierDraft[], problems: Set<string>) =>
  tiers.map(({ above, rates }, index) => {
    const tokens = readTokens(above);
    if (tokens === undefined) problems.add(`tiers.${index}.above`);
    const changed = readAmounts(rates, rateNames, `tiers.${index}.`, problems);
    if (Object.keys(changed).length === 0) problems.add(`tiers.${index}.input`);
    return { above: tokens ?? 1, ...changed };
  });

export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const readHours = ({ zone, windows }: PriceDraft, problems: Set<string>): PriceCard['hours'] => {
  if (windows.length === 0) return undefined;
  if (zone.trim() === '' || !isZone(zone.trim())) problems.add('zone');
  for (const [index, { from, to, factor }] of windows.entries()) {
    if (!timeForm.test(from)) problems.add(`windows.${index}.from`);
    if (!timeForm.test(to)) problems.add(`windows.${index}.to`);
    if (!factorForm.test(factor)) problems.add(`windows.${index}.factor`);
  }
  return {
    zone: zone.trim(),
    windows: windows.map(({ days, ...rest }) => ({ ...(days.length > 0 && { days: [...days] }), ...rest })),
  };
};

const readVolume = ({ volumeZone, steps }: PriceDraft, problems: Set<string>): PriceCard['volume'] => {
  if (steps.length === 0) return undefined;
  if (volumeZone.trim() === '' || !isZone(volumeZone.trim())) problems.add('volumeZone');
  return {
    zone: volumeZone.trim(),
    steps: steps.map(({ above, factor }, index) => {
      const tokens = readTokens(above);
      if (tokens === undefined) problems.add(`steps.${index}.above`);
      if (!factorForm.test(factor)) problems.add(`steps.${index}.factor`);
      return { above: tokens ?? 1, factor };
    }),
  };
};

/** Parts are priced in relation to their side: one of a side that is free cannot have a price, but for a prompt beside output. */
export const partsWithoutSide = (rates: Typed<RateName>): readonly RateName[] => {
  const { input, output } = rates;
  const priced = (names: readonly RateName[]) => names.filter((name) => !isZero(rates[name]));
  if (!isZero(output)) return [];
  return [...priced(completionParts), ...(isZero(input) ? priced(promptParts) : [])];
};

/** The card of what was typed; it counts only where there are no problems. */
export const readDraft = (draft: PriceDraft): Read => {
  if (draft.free) return { card: { rates: { input: '0', output: '0' } }, problems: new Set() };
  const problems = new Set<string>();
  const { input, output = '0', ...parts }: Typed<RateName> = readAmounts(draft.rates, rateNames, '', problems);
  const units = readAmounts(draft.units, unitNames, '', problems);
  const hasUnits = Object.keys(units).length > 0;
  const hasOther = output !== '0' || Object.keys(parts).length > 0 || draft.tiers.length > 0;
  if (input === undefined && !problems.has('input') && (hasOther || !hasUnits)) problems.add('input');
  const tiers = readTiers(draft.tiers, problems);
  const hours = readHours(draft, problems);
  const volume = readVolume(draft, problems);
  if (input !== undefined) for (const name of partsWithoutSide({ input, output, ...parts })) problems.add(name);
  const card: PriceCard = {
    ...(input !== undefined && { rates: { input, output, ...parts } }),
    ...(hasUnits && { units }),
    ...(tiers.length > 0 && { tiers }),
    ...(hours && { hours }),
    ...(volume && { volume }),
    ...draft.rest,
  };
  return { card, problems };
};
