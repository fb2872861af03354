import { asText } from '../format/as-text.ts';

/** Reads one search parameter; `undefined` means absent, default or invalid, and removes it from the address. */
export type Reader<T> = (text: string) => T | undefined;
type Shape = Readonly<Record<string, Reader<unknown>>>;
export type SearchOf<S extends Shape> = { [Key in keyof S]?: NonNullable<ReturnType<S[Key]>> };

export const upTo =
  (max: number): Reader<string> =>
  (raw) =>
    raw.trim().slice(0, max) || undefined;

export const oneOf =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (raw) =>
    values.find((value) => value === raw);

/** A whole number within bounds. */
export const whole =
  (min: number, max: number): Reader<number> =>
  (raw) => {
    const value = Number(raw);
    return raw.trim() !== '' && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
  };

export const oneOfNumbers =
  (values: readonly number[]): Reader<number> =>
  (raw) =>
    values.find((value) => String(value) === raw);

/**
 * Makes the `validateSearch` of a route: only known parameters with valid values stay, so that an address written
 * by hand or by an older release never breaks a page.
 */
export const searchOf =
  <const S extends Shape>(shape: S) =>
  (raw: Record<string, unknown>): SearchOf<S> => {
    const entries = Object.entries(shape).flatMap(([name, read]) => {
      const value = raw[name] === undefined ? undefined : read(asText(raw[name]) ?? '');
      return value === undefined ? [] : [[name, value]];
    });
    // oxlint-disable-next-line typescript/consistent-type-assertions -- each entry was read by the reader of its own name
    return Object.fromEntries(entries) as SearchOf<S>;
  };

export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const text = asText(value);
    if (text) params.set(name, text);
  }
  return params.size > 0 ? `?${params}` : '';
};
