import { codeAt, isObject, objectAt, parseJson, textAt } from '../conversation/json.ts';
import { readFailure } from './failure.ts';
import type { RelayFailure } from './provider.ts';

/** Where a vendor's own codes lead: the HTTP status by which each is judged, and OpenAI's code where it has one. */
export type FailureCodes = ReadonlyMap<string, readonly [status: number, code?: string]>;

/** Entries of a table for codes that mean the same. */
export const codesThatMean = (
  codes: readonly number[],
  ...judged: readonly [status: number, code?: string]
): readonly (readonly [string, readonly [number, string?]])[] => codes.map((code) => [String(code), judged]);

export interface CodedFailure {
  readonly code: string;
  readonly message: string;
  /** Of a code that the table does not have. */
  readonly status: number;
}

/** Judges a failure by the vendor's code, or by the longest beginning of it that the table has (`Throttling.RateQuota`). */
export const failureByCode = (codes: FailureCodes, { code, message, status }: CodedFailure): RelayFailure => {
  const dot = code.lastIndexOf('.');
  const known = codes.get(code);
  if (known === undefined && dot > 0) {
    const judged = failureByCode(codes, { code: code.slice(0, dot), message, status });
    return judged.error.code === code.slice(0, dot) ? { ...judged, error: { ...judged.error, code } } : judged;
  }
  const [judged, named] = known ?? [status];
  return readFailure(judged, JSON.stringify({ error: { message, code: named ?? code } }));
};

/** Judges bodies `{error: {code, type, message}}` by the first of the two that the table has; others by their status. */
export const failureOfError =
  (codes: FailureCodes) =>
  (status: number, text: string): RelayFailure => {
    const parsed = parseJson(text);
    const error = isObject(parsed) ? objectAt(parsed, 'error') : {};
    const code = ['code', 'type'].map((name) => codeAt(error, name)).find((name) => codes.has(name));
    return code === undefined
      ? readFailure(status, text)
      : failureByCode(codes, { code, message: textAt(error, 'message'), status });
  };
