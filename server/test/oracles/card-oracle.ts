import type { ChangedRates, PriceCard, ServiceClass } from '@weir/contract/prices/price-book';

/** A fraction that is never reduced. */
interface Fraction {
  readonly up: bigint;
  readonly down: bigint;
}

const whole = (value: number | bigint): Fraction => ({ up: BigInt(value), down: 1n });
const zero = whole(0);
const plus = (a: Fraction, b: Fraction): Fraction => ({ up: a.up * b.down + b.up * a.down, down: a.down * b.down });
const times = (a: Fraction, b: Fraction): Fraction => ({ up: a.up * b.up, down: a.down * b.down });
const per = (a: Fraction, b: Fraction): Fraction => ({ up: a.up * b.down, down: a.down * b.up });
const isNothing = ({ up }: Fraction): boolean => up === 0n;

/** A decimal as it is written: all digits over the power of ten that its point stands for. */
const decimal = (text: string): Fraction => {
  const [before = '0', behind = ''] = text.split('.');
  return { up: BigInt(before + behind), down: 10n ** BigInt(behind.length) };
};

const partsOfPrompt = ['cache_read', 'cache_write', 'cache_write_1h', 'audio_prompt', 'image_prompt'] as const;
const partsOfCompletion = ['reasoning', 'audio_completion', 'image_completion'] as const;
type Part = (typeof partsOfPrompt)[number] | (typeof partsOfCompletion)[number];
const isOfPrompt = (part: Part): boolean => partsOfPrompt.some((name) => name === part);

/** Tokens as an upstream reports them. */
export interface UsedTokens {
  readonly prompt: number;
  readonly completion: number;
  readonly parts?: Readonly<Partial<Record<Part, number>>>;
  readonly serviceClass?: ServiceClass;
}

/** What else a price depends on. */
export interface OracleTerms {
  /** Decimals. */
  readonly unitsPerDollar: string;
  readonly group: string;
  readonly atMs: number;
}

/** Dollars for a million tokens of each side and part. */
interface Rates {
  readonly input: Fraction;
  readonly output: Fraction;
  readonly parts: ReadonlyMap<Part, Fraction>;
}

const named = (rates: ChangedRates): ReadonlyMap<Part, Fraction> =>
  new Map(
    [...partsOfPrompt, ...partsOfCompletion].flatMap((part) => {
      const text = rates[part];
      return text === undefined ? [] : [[part, decimal(text)] as const];
    }),
  );

/** Parts keep their relation to their side; those of a free prompt to the output. */
const rescaled = ({ input, output, parts }: Rates, to: Pick<Rates, 'input' | 'output'>): [Part, Fraction][] =>
  [...parts].map(([part, price]) => {
    const [before, now] = isOfPrompt(part) && !isNothing(input) ? [input, to.input] : [output, to.output];
    return [part, isNothing(before) ? price : per(times(price, now), before)];
  });

const changedBy = (base: Rates, changed: ChangedRates): Rates => {
  const { input, output } = changed;
  const sides = {
    input: input === undefined ? base.input : decimal(input),
    output: output === undefined ? base.output : decimal(output),
  };
  return { ...sides, parts: new Map([...rescaled(base, sides), ...named(changed)]) };
};

/** A tier whose sides a service class changes by as much as it changes those below all tiers. */
const bothOf = (base: Rates, tier: Rates, classed: Rates): Rates => {
  const side = (name: 'input' | 'output') =>
    isNothing(base[name]) ? tier[name] : per(times(tier[name], classed[name]), base[name]);
  const sides = { input: side('input'), output: side('output') };
  return { ...sides, parts: new Map([...rescaled(classed, sides), ...rescaled(tier, sides)]) };
};

/** Dollars for a million of the tokens that units are metered in. */
const rateOfUnit = ({ image, search, second, character }: NonNullable<PriceCard['units']>): Fraction => {
  const each = (text: string, tokens: Fraction) => per(times(decimal(text), whole(1_000_000)), tokens);
  const thousand = image ?? search;
  if (thousand !== undefined) return each(thousand, whole(1000));
  if (second !== undefined) return each(second, { up: 10n, down: 3n });
  return each(character ?? '0', whole(1));
};

const ratesFor = ({ rates, units = {}, tiers = [], classes = {} }: PriceCard, used: UsedTokens): Rates => {
  if (rates === undefined) return { input: rateOfUnit(units), output: zero, parts: new Map() };
  const base = { input: decimal(rates.input), output: decimal(rates.output), parts: named(rates) };
  const [highest] = tiers.filter(({ above }) => used.prompt > above).toSorted((a, b) => b.above - a.above);
  const tier = highest === undefined ? undefined : changedBy(base, highest);
  const change = used.serviceClass === undefined ? undefined : classes[used.serviceClass];
  if (change === undefined) return tier ?? base;
  const classed = changedBy(base, change);
  return tier === undefined ? classed : bothOf(base, tier, classed);
};

const minutes = (clock: string): number => {
  const [hour, minute] = clock.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
};

const clocks = new Map<string, Intl.DateTimeFormat>();
/** Writes local times as `2026-11-25 17:40:00`. */
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return clock;
};

const factorAt = ({ hours }: PriceCard, atMs: number): Fraction => {
  if (hours === undefined) return whole(1);
  const local = clockOf(hours.zone).format(atMs);
  const [day = '', clock = ''] = local.split(' ');
  const today = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const now = minutes(clock);
  const isOn = (days: readonly number[] | undefined, weekday: number) =>
    days === undefined || days.includes(weekday + 1);
  for (const { days, from, to, factor } of hours.windows) {
    const [start, end] = [minutes(from), minutes(to)];
    const begunToday = isOn(days, today) && now >= start && (end <= start || now < end);
    const begunBefore = end <= start && isOn(days, (today + 6) % 7) && now < end;
    if (begunToday || begunBefore) return decimal(factor);
  }
  return whole(1);
};

const dollarsOf = ({ input, output, parts }: Rates, used: UsedTokens): Fraction => {
  const side = (names: readonly Part[], tokens: number, rate: Fraction) => {
    let rest = tokens;
    let sum = zero;
    for (const part of names) {
      const own = parts.get(part);
      const count = used.parts?.[part] ?? 0;
      if (own === undefined || count === 0) continue;
      sum = plus(sum, times(whole(count), own));
      rest -= count;
    }
    return plus(sum, times(whole(rest), rate));
  };
  const sum = plus(side(partsOfPrompt, used.prompt, input), side(partsOfCompletion, used.completion, output));
  return per(sum, whole(1_000_000));
};

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * What tokens cost by a price card, in quota units: an oracle that shares no code with the product and knows no ratios.
 * Dollars are added exactly and rounded once, up.
 */
export const cardQuota = (card: PriceCard, terms: OracleTerms, used: UsedTokens): number => {
  const rates = ratesFor(card, used);
  const units = times(times(decimal(terms.unitsPerDollar), decimal(terms.group)), factorAt(card, terms.atMs));
  const isFree = isNothing(units) || (isNothing(rates.input) && isNothing(rates.output));
  if (isFree || used.prompt + used.completion === 0) return 0;
  const { up, down } = times(dollarsOf(rates, used), units);
  const rounded = (up + down - 1n) / down;
  return Number(rounded < 1n ? 1n : rounded > largest ? largest : rounded);
};
