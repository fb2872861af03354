import { useMemo } from 'react';
import { parseSearch, stringifySearch } from '../lists/search-params.ts';
import { navigate, shownAddress } from '../router/navigate.ts';
import { useStorePart } from '../store.ts';

interface PatchOptions {
  /** A place that Back returns to, such as a page of a list; otherwise the change replaces the address. */
  readonly push?: true;
}

export type Patch<S> = (changes: { readonly [Key in keyof S]?: S[Key] | undefined }, options?: PatchOptions) => void;

/** The parsed search parameters; changes of other parameters do not render. */
export const useSearchPart = <S extends Record<string, unknown>>(read: (raw: Record<string, unknown>) => S): S => {
  const text = useStorePart(shownAddress, ({ search }) => stringifySearch(read(parseSearch(search))));
  return useMemo(() => read(parseSearch(text)), [read, text]);
};

const patch = (changes: Record<string, unknown>, { push }: PatchOptions = {}): void => {
  const search = stringifySearch({ ...parseSearch(location.search), ...changes });
  void navigate(location.pathname + search, { replace: push !== true, keepScroll: true });
};

/** Changes some parameters of the current address. `undefined` removes one. */
export const useSearchPatch = <S>(): Patch<S> => patch;

/** The search parameters of a screen, parsed by its entry in the screen table, and a function that changes them. */
export const useSearchState = <S extends Record<string, unknown>>(
  read: (raw: Record<string, unknown>) => S,
): readonly [S, Patch<S>] => [useSearchPart(read), useSearchPatch<S>()];
