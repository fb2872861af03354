/** An exact fraction in lowest terms; `over` is above 0. */
export interface Ratio {
  readonly times: bigint;
  readonly over: bigint;
}

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : divisor(b, a % b));

/** `times / over` in lowest terms. `over` must be above 0. */
export const ratio = (times: bigint, over: bigint): Ratio => {
  const common = divisor(times, over) || 1n;
  return { times: times / common, over: over / common };
};

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Larger powers of ten are no price; the limit bounds the memory that a mistyped number takes. */
const exponentMax = 300;

/** Reads a decimal number as an exact fraction, without floating point. Null: no such number. */
export const parseRatio = (text: string): Ratio | null => {
  const match = decimal.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText) - fraction.length;
  if (Math.abs(exponent) > exponentMax || whole.length + fraction.length > exponentMax) return null;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return exponent >= 0 ? ratio(digits * 10n ** BigInt(exponent), 1n) : ratio(digits, 10n ** BigInt(-exponent));
};

/** The exact product. */
export const multiply = (a: Ratio, b: Ratio): Ratio => ratio(a.times * b.times, a.over * b.over);

/** The exact quotient; null: there is none by zero. Both must be at least 0. */
export const divide = (a: Ratio, b: Ratio): Ratio | null =>
  b.times === 0n ? null : ratio(a.times * b.over, a.over * b.times);

/** The exact sum. */
export const add = (a: Ratio, b: Ratio): Ratio => ratio(a.times * b.over + b.times * a.over, a.over * b.over);

/** The least whole number that is not below. */
export const roundUp = ({ times, over }: Ratio): bigint => times / over + (times % over > 0n ? 1n : 0n);

/** For display only: never calculate with it. */
export const ratioToNumber = (value: Ratio): number => Number(value.times) / Number(value.over);

const decimalsMax = 40;

/** The exact value: a decimal if one of at most 40 digits after the point is exact, else a fraction. */
export const ratioToText = ({ times, over }: Ratio): string => {
  for (let places = 0, scale = 1n; places <= decimalsMax; places++, scale *= 10n) {
    if (scale % over !== 0n) continue;
    const digits = String((times < 0n ? -times : times) * (scale / over)).padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    return `${times < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
  }
  return `${times}/${over}`;
};

/** Reads what `ratioToText` wrote. Null: it did not write that. */
export const readExact = (text: string): Ratio | null => {
  const [, times, over] = /^(-?\d{1,4000})\/(\d{1,4000})$/.exec(text) ?? [];
  if (times === undefined || over === undefined) return parseRatio(text);
  return BigInt(over) === 0n ? null : ratio(BigInt(times), BigInt(over));
};

export const one: Ratio = { times: 1n, over: 1n };

/** A ratio option: JSON object of name to number, read exactly. Null: the text is no such object. */
export const parseRatioTable = (text: string): ReadonlyMap<string, Ratio> | null => {
  const table = new Map<string, Ratio>();
  let valid = true;
  const revive = (key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const exact = context?.source === undefined || typeof value !== 'number' ? null : parseRatio(context.source);
    if (exact !== null) table.set(key, exact);
    else if (key !== '' || typeof value !== 'object' || value === null || Array.isArray(value)) valid = false;
    return value;
  };
  try {
    const root: unknown = JSON.parse(text, revive);
    return valid && typeof root === 'object' ? table : null;
  } catch {
    return null;
  }
};
