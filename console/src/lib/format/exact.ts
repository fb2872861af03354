import { smallDollars } from './format-rate.ts';

/** An exact fraction; `over` is above 0. */
export interface Exact {
  readonly times: bigint;
  readonly over: bigint;
}

const decimalForm = /^(\d{1,60})(?:\.(\d{1,60}))?$/;
const fractionForm = /^(\d{1,400})\/(\d{1,400})$/;

/** Reads a decimal of at least 0 or a fraction `a/b`, as the server writes exact numbers; undefined: neither. */
export const readExact = (text: string): Exact | undefined => {
  const [, whole, decimals = ''] = decimalForm.exec(text) ?? [];
  if (whole !== undefined) return { times: BigInt(whole + decimals), over: 10n ** BigInt(decimals.length) };
  const [, times, over = '0'] = fractionForm.exec(text) ?? [];
  return times === undefined || BigInt(over) === 0n ? undefined : { times: BigInt(times), over: BigInt(over) };
};

export const timesExact = (a: Exact, b: Exact): Exact => ({ times: a.times * b.times, over: a.over * b.over });

/** The quotient; undefined: there is none by zero. */
export const dividedExact = (a: Exact, b: Exact): Exact | undefined =>
  b.times === 0n ? undefined : { times: a.times * b.over, over: a.over * b.times };

export const isSameExact = (a: Exact, b: Exact): boolean => a.times * b.over === b.times * a.over;

/** For display only. */
export const exactToNumber = ({ times, over }: Exact): number => Number((times * 10n ** 18n) / over) / 1e18;

/** A decimal of at most `places` digits behind the point, rounded up, without zeros at the end. */
export const exactToDecimal = ({ times, over }: Exact, places: number): string => {
  const scale = 10n ** BigInt(places);
  const scaled = times * scale;
  const digits = String(scaled / over + (scaled % over === 0n ? 0n : 1n)).padStart(places + 1, '0');
  const decimals = digits.slice(digits.length - places).replace(/0+$/, '');
  return digits.slice(0, digits.length - places) + (decimals === '' ? '' : `.${decimals}`);
};

const dollarForm = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,15})?$/;

/** Typed dollars as the server takes them: `$1.50`, `1,5` and `.5` are read too; undefined: no such amount. */
export const readDollars = (typed: string): string | undefined => {
  const text = typed
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^(\d*),(\d+)$/, '$1.$2')
    .replace(/^\./, '0.')
    .replace(/\.$/, '');
  return dollarForm.test(text) ? text : undefined;
};

/** `$1.50`, `$0.0375`, `$0.0000002`, from an exact amount. */
export const dollarText = (amount: Exact): string => smallDollars(exactToNumber(amount));

/** `+20 %`, `−5.5 %`, `±0 %`: how far an amount is from another one; undefined: nothing to compare with. */
export const changeText = (amount: Exact, from: Exact): string | undefined => {
  const share = dividedExact(amount, from);
  if (share === undefined) return undefined;
  const percent = (exactToNumber(share) - 1) * 100;
  const rounded = Math.abs(percent) >= 100 ? Math.round(percent) : Math.round(percent * 10) / 10;
  const size = Math.abs(rounded).toLocaleString('en-US');
  return rounded === 0 ? '±0%' : `${rounded > 0 ? '+' : '−'}${size}%`;
};
