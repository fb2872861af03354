import { readPreference, writePreference } from './storage.ts';
import { createStore, useStore } from '../store.ts';

/** `system` uses the administrator's theme, else the device's. */
export type Theme = 'light' | 'dark' | 'system';

const asTheme = (value: unknown): Theme => (value === 'light' || value === 'dark' ? value : 'system');
const store = createStore(asTheme(readPreference('theme')));
const darkDevice = matchMedia('(prefers-color-scheme: dark)');

/** The server's option for visitors without a choice; unknown names count as the default (ruling 21). */
let serverTheme: Theme = 'system';

const apply = (): void => {
  const [theme] = [store.get(), serverTheme].filter((name) => name !== 'system');
  document.documentElement.dataset['theme'] = theme ?? (darkDevice.matches ? 'dark' : 'light');
};
darkDevice.addEventListener('change', apply);

export const useTheme = (): Theme => useStore(store);

export const setTheme = (next: Theme): void => {
  writePreference('theme', next === 'system' ? undefined : next);
  store.set(next);
  apply();
};

export const setServerTheme = (theme: string | undefined): void => {
  serverTheme = asTheme(theme);
  apply();
};

export const currentTheme = store.get;
