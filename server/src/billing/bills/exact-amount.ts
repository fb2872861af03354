/** Digits after the point of a dollar that are kept exactly while amounts are added up. */
const scale = 60;
const perNano = 10n ** BigInt(scale - 9);
const decimal = /^(-?)(\d{1,30})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Units of an amount's text, as a power of ten of a dollar. */
export const amountUnit = { dollars: 0, cents: -2 } as const;

/**
 * Reads a decimal number as an exact amount in 10⁻⁶⁰ dollars, without floating point. Undefined: it is none, or has
 * digits beyond that.
 */
export const readAmount = (text: string, unit: keyof typeof amountUnit): bigint | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  const places = scale + amountUnit[unit] + Number(exponent) - fraction.length;
  if (places < 0) return undefined;
  const digits = BigInt(whole + fraction) * 10n ** BigInt(places);
  return sign === '-' ? -digits : digits;
};

/** Whole nano-dollars, a half rounded away from zero. Undefined: more than a JSON number holds exactly. */
export const toNanoDollars = (amount: bigint): number | undefined => {
  const size = amount < 0n ? -amount : amount;
  const nano = (size + perNano / 2n) / perNano;
  const rounded = Number(amount < 0n ? -nano : nano);
  return Number.isSafeInteger(rounded) ? rounded + 0 : undefined;
};
