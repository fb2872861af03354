import type { RedemptionFields } from './queries.ts';

/** The form as it is being filled in. */
export interface RedemptionValues {
  readonly name: string;
  /** Quota units of one code; NaN if the text is no whole number. */
  readonly quota: number;
  /** As typed; only for new codes. */
  readonly count: string;
  readonly [more: string]: unknown;
}

export type RedemptionProblem = 'name' | 'quota' | 'count';

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

export const countOf = ({ count }: Pick<RedemptionValues, 'count'>): number =>
  /^\s*\d+\s*$/.test(count) ? Number(count) : Number.NaN;

/** The request body of the form, or its errors. The server checks the maximum number of codes per request. */
export const fieldsOf = (values: RedemptionValues): RedemptionFields | RedemptionProblem => {
  const name = values.name.trim();
  const count = countOf(values);
  if (name === '') return 'name';
  if (!isAmount(values.quota)) return 'quota';
  return isAmount(count) ? { name, quota: values.quota, count } : 'count';
};
