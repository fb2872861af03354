import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { parseSearch, stringifySearch } from '../lists/search-params.ts';

export type Patch<S> = (changes: { readonly [Key in keyof S]?: S[Key] | undefined }) => void;

/** What `read` finds in the address; what it leaves out may change without drawing anew. */
export const useSearchPart = <S extends Record<string, unknown>>(read: (raw: Record<string, unknown>) => S): S => {
  const text = useSearch({ strict: false, select: (raw: Record<string, unknown>) => stringifySearch(read(raw)) });
  return useMemo(() => read(parseSearch(text)), [read, text]);
};

/** Changes some of the address in place. `undefined` removes a member. */
export const useSearchPatch = <S>(): Patch<S> => {
  const navigate = useNavigate();
  return useCallback<Patch<S>>(
    (changes) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
};

/** The state a screen keeps in its address, read by the same reader as the route's `validateSearch`, and what changes it. */
export const useSearchState = <S extends Record<string, unknown>>(
  read: (raw: Record<string, unknown>) => S,
): readonly [S, Patch<S>] => [useSearchPart(read), useSearchPatch<S>()];
