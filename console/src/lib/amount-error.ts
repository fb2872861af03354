import type { Translate } from './hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

/** The error text for a number that is not whole, less than `min`, or too large to be exact. */
export const amountError = (t: Translate, value: number, min: number): string =>
  value > Number.MAX_SAFE_INTEGER ? t(m.amount_too_large) : t(m.amount_not_whole, { min });
