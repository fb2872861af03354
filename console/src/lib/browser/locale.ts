import { overwriteGetLocale } from '../../paraglide/runtime.js';
import { readPreference, writePreference } from './storage.ts';
import { createStore, useStore } from '../store.ts';

export type Language = 'en' | 'zh';

const htmlLang: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

const initial = (): Language => {
  const stored = readPreference('language');
  const preferred = typeof stored === 'string' ? stored : navigator.language;
  return /^zh/i.test(preferred) ? 'zh' : 'en';
};

const store = createStore(initial());
overwriteGetLocale(store.get);

export const language = store.get;
export const useLanguage = (): Language => useStore(store);

type Text = (inputs: object) => string;

/**
 * A message in both languages; the build compiles each to a call of this (`build/compact-messages.ts`).
 *
 * @public
 */
export const message =
  (en: Text, zh: Text) =>
  (inputs: object = {}, { locale = store.get() }: { readonly locale?: Language } = {}): string =>
    (locale === 'zh' ? zh : en)(inputs);

export const setLanguage = (next: Language): void => {
  writePreference('language', htmlLang[next]);
  document.documentElement.lang = htmlLang[next];
  store.set(next);
};
