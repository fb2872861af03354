import type { AccountStatement } from '@weir/contract/bills/account-statements';
import { byteOrderMark, csvLine } from '../logs/csv.ts';

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);

interface Line {
  /** Unix seconds. */
  readonly at: number;
  readonly kind: string;
  readonly text?: string;
  readonly quota: number;
  /** Requests, prompt tokens and completion tokens. */
  readonly counts?: readonly number[];
}

/** A statement as a table: the balances, each credit, and usage by day and model. Quota that was charged is below 0. */
export const statementCsv = function* (statement: AccountStatement, quotaPerDollar: number): Generator<string> {
  const { from, before, opening, used, closing, credits, usage } = statement;
  const line = ({ at, kind, text = '', quota, counts = [] }: Line): string => {
    const [requests = '', prompt = '', completion = ''] = counts;
    const usd = { decimal: (quota / quotaPerDollar).toFixed(6) };
    return csvLine([dayOf(at), kind, text, requests, prompt, completion, quota, usd]);
  };
  yield (
    byteOrderMark + csvLine(['date', 'kind', 'text', 'requests', 'prompt_tokens', 'completion_tokens', 'quota', 'usd'])
  );
  yield line({ at: from, kind: 'opening', quota: opening });
  for (const { created_at: at, kind, reason, amount } of credits) yield line({ at, kind, text: reason, quota: amount });
  let logged = 0;
  for (const { day, model, quota, requests, prompt_tokens: prompt, completion_tokens: completion } of usage) {
    logged += quota;
    yield line({ at: day, kind: 'use', text: model, quota: -quota, counts: [requests, prompt, completion] });
  }
  const last = before - 1;
  if (used !== logged) yield line({ at: last, kind: 'use', text: 'not in the log', quota: logged - used });
  yield line({ at: last, kind: 'closing', quota: closing });
};
