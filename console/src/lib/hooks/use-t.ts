import { language, useLanguage } from '../browser/locale.ts';
import type { Language } from '../browser/locale.ts';

type Options = { locale?: Language };
/** A text without inputs, before its language is chosen. */
export type Message = (inputs?: Record<never, never>, options?: Options) => string;
type WithInputs<Inputs> = (inputs: Inputs, options?: Options) => string;

export interface Translate {
  (message: Message): string;
  <Inputs>(message: WithInputs<Inputs>, inputs: Inputs): string;
}

const translator =
  (locale: Language): Translate =>
  (message: (...args: never[]) => string, inputs: unknown = {}) =>
    String(Reflect.apply(message, undefined, [inputs, { locale }]));

// One function per language, so that memoised components see a new one when the language changes.
const translators: Record<Language, Translate> = { en: translator('en'), zh: translator('zh') };
export const translatorIn = (locale: Language): Translate => translators[locale];

/** The same outside of components: exports, filters. */
export const currentT = (): Translate => translatorIn(language());

/** The texts of the catalogue in the current language: `t(m.token_title)`. */
export const useT = (): Translate => translators[useLanguage()];
