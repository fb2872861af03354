import { useSyncExternalStore } from 'react';

/** A value outside React that components can subscribe to: the session, the status, toasts, language, theme. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);

/** Subscribes to a part of the value; only its changes render. `pick` returns a comparable value. */
export const useStorePart = <T, Part extends string | number | boolean | undefined>(
  store: Store<T>,
  pick: (value: T) => Part,
): Part => useSyncExternalStore(store.subscribe, () => pick(store.get()));
