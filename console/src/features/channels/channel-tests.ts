import type { QueryClient } from '@tanstack/react-query';
import { failureText } from '../../lib/failure-text.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { test } from './queries.ts';

/** A test under way, or the words of one that failed. */
export type TestState =
  | { readonly kind: 'running'; readonly startedMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

const store = createStore<ReadonlyMap<number, TestState>>(new Map());

const set = (id: number, state: TestState | undefined): void => {
  const next = new Map(store.get());
  if (state === undefined) next.delete(id);
  else next.set(id, state);
  store.set(next);
};

export const useTestState = (id: number): TestState | undefined => useStore(store).get(id);

/** Runs a test and keeps its state beside the row; resolves to the seconds it took, throws when it failed. */
export const runTest = async (client: QueryClient, id: number, model = ''): Promise<number> => {
  set(id, { kind: 'running', startedMs: Date.now() });
  try {
    const seconds = await test(client, id, model);
    set(id, undefined);
    return seconds;
  } catch (error) {
    set(id, { kind: 'failed', reason: failureText(error) });
    throw error;
  }
};
