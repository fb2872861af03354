import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export type Patch<S> = (changes: { readonly [Key in keyof S]?: S[Key] | undefined }) => void;

/**
 * The state a screen keeps in its address, read by the same reader as the route's `validateSearch`, and a function
 * that changes some of it in place. `undefined` removes a member.
 */
export const useSearchState = <S extends Record<string, unknown>>(
  read: (raw: Record<string, unknown>) => S,
): readonly [S, Patch<S>] => {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(() => read(raw), [read, raw]);
  const patch = useCallback<Patch<S>>(
    (changes) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [state, patch];
};
