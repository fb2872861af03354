import type { IncomingHttpHeaders } from 'node:http';
import type { RelayFailure } from '../../providers/provider.ts';

const units = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Seconds of a duration such as `1m2.5s` or `120ms` (OpenAI, Groq); null: it is none. */
const secondsIn = (text: string): number | null => {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd]))+$/.test(text)) return null;
  return [...text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (units.get(unit) ?? 0),
    0,
  );
};

const headerText = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** When the limits that are used up are renewed; of several the last. Where none is said to be used up, the first. */
const resetOf = (headers: IncomingHttpHeaders): number | null => {
  const resets = ['requests', 'tokens'].flatMap((kind) => {
    const seconds = secondsIn(headerText(headers, `x-ratelimit-reset-${kind}`));
    return seconds === null ? [] : [{ seconds, usedUp: headerText(headers, `x-ratelimit-remaining-${kind}`) === '0' }];
  });
  if (resets.length === 0) return null;
  const usedUp = resets.filter((reset) => reset.usedUp).map(({ seconds }) => seconds);
  return usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...resets.map(({ seconds }) => seconds));
};

/**
 * When an upstream that failed takes calls again, in seconds or as a date; empty: it does not say. By its headers
 * `retry-after-ms` and `retry-after`, else by its body, else, for a limit, by the headers of its limits.
 */
export const retryAfterOf = (headers: IncomingHttpHeaders, { status, retryAfter }: RelayFailure): string => {
  const milliseconds = headerText(headers, 'retry-after-ms');
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(milliseconds)) return String(Number(milliseconds) / 1000);
  const header = headerText(headers, 'retry-after');
  if (header !== '') return header;
  const seconds = retryAfter ?? (status === 429 ? resetOf(headers) : null);
  return seconds === null || seconds <= 0 ? '' : String(Math.ceil(seconds * 1000) / 1000);
};
