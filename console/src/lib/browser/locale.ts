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

export const setLanguage = (next: Language): void => {
  writePreference('language', htmlLang[next]);
  document.documentElement.lang = htmlLang[next];
  store.set(next);
};
