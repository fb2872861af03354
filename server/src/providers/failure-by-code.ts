import { codeAt, isObject, objectAt, parseJson, textAt } from '../conversation/json.ts';
import { readFailure } from './failure.ts';
import type { RelayFailure } from './provider.ts';

/** A vendor's error codes: the HTTP status that each is classified by, and OpenAI's code where there is one. */
export type FailureCodes = ReadonlyMap<string, readonly [status: number, code?: string]>;

/** Table entries for codes with the same meaning. */
export const codesThatMean = (
  codes: readonly number[],
  ...judged: readonly [status: number, code?: string]
): readonly (readonly [string, readonly [number, string?]])[] => codes.map((code) => [String(code), judged]);

export interface CodedFailure {
  readonly code: string;
  readonly message: string;
  /** For a code that is not in the table. */
  readonly status: number;
}

/** Classifies a failure by the vendor's code, or by its longest prefix in the table (`Throttling.RateQuota`). */
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

/** Classifies bodies `{error: {code, type, message}}` by their code or type if it is in the table, otherwise by status. */
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
