import type { Language } from '../errors.ts';

/** Chinese for an `Accept-Language` that begins with it, English otherwise (wire contract 1.9). */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  /^\s*zh/i.test(acceptLanguage ?? '') ? 'zh' : 'en';
