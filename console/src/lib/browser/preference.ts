import { readPreference, writePreference } from './storage.ts';
import type { PreferenceKey } from './storage.ts';
import { createStore } from '../store.ts';
import type { Store } from '../store.ts';

/** A preference stored in this browser that components can subscribe to. */
export const preference = <T>(key: PreferenceKey, read: (stored: unknown) => T): Store<T> => {
  const store = createStore(read(readPreference(key)));
  return {
    ...store,
    set: (next) => {
      writePreference(key, next);
      store.set(next);
    },
  };
};
