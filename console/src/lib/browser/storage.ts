/**
 * Local storage. Keys of specification §3 are written without a prefix, so that other consoles of the contract can
 * read them; our own preferences have one prefix. Never a password, a token's key or a channel key.
 */
const prefix = 'weir:';

export type SpecKey =
  | 'user'
  | 'status'
  | 'aff'
  | 'quota_per_unit'
  | 'display_in_currency'
  | 'system_name'
  | 'logo'
  | 'footer_html'
  | 'channel_models'
  | `prompt-${string}`;

export type PreferenceKey =
  | 'theme'
  | 'language'
  | 'density'
  | 'shortcuts'
  | 'log-chart'
  | `hidden:${string}`
  | `order:${string}`
  | `tests:${number}`
  | `views:${string}`
  | `size:${string}`;

// Storage can be full or refused by the browser; the console then works without it.
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

export const readText = (key: SpecKey): string | undefined => attempt(() => localStorage.getItem(key)) ?? undefined;

export const writeText = (key: SpecKey, value: string): void => attempt(() => localStorage.setItem(key, value));

export const removeText = (key: SpecKey): void => attempt(() => localStorage.removeItem(key));

const parse = (text: string | null | undefined): unknown =>
  text ? attempt((): unknown => JSON.parse(text)) : undefined;

export const readJson = (key: SpecKey): unknown => parse(readText(key));

export const readPreference = (key: PreferenceKey): unknown => parse(attempt(() => localStorage.getItem(prefix + key)));

/** `undefined` removes the preference. */
export const writePreference = (key: PreferenceKey, value: unknown): void =>
  attempt(() =>
    value === undefined
      ? localStorage.removeItem(prefix + key)
      : localStorage.setItem(prefix + key, JSON.stringify(value)),
  );

/** Values of this tab only: the address to return to after sign-in, drafts, a toast across a page load. */
export const tabMemory = {
  read: (key: string): unknown => parse(attempt(() => sessionStorage.getItem(prefix + key))),
  write: (key: string, value: unknown): void =>
    attempt(() => sessionStorage.setItem(prefix + key, JSON.stringify(value))),
  /** Reads and removes. */
  take: (key: string): unknown => {
    const value = tabMemory.read(key);
    attempt(() => sessionStorage.removeItem(prefix + key));
    return value;
  },
};
