import type { QueryClient } from '@tanstack/react-query';
import { failureText } from '../../lib/api/failure-text.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { test } from './queries.ts';

/** A running test, or the error of a failed one. */
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

export const isTesting = (id: number): boolean => store.get().get(id)?.kind === 'running';

export const useTestState = (id: number): TestState | undefined => useStore(store).get(id);

/** Stores the result for the channel's detail page. Loaded on demand: most visits to the list never open that page. */
const note = async (id: number, ms: number | undefined): Promise<void> => {
  const kept = await import('./health/recent-tests.ts').catch(() => undefined);
  kept?.noteTest(id, ms);
};

interface TestOptions {
  /** Absent: the channel's default. */
  readonly model?: string;
  /** Time limit, and the error text when it is exceeded. */
  readonly limit?: { readonly signal: AbortSignal; readonly words: string };
}

/** Runs a test and stores its state for the row; resolves to the seconds it took, throws if it failed. */
export const runTest = async (
  client: QueryClient,
  id: number,
  { model = '', limit }: TestOptions = {},
): Promise<number> => {
  set(id, { kind: 'running', startedMs: Date.now() });
  try {
    const seconds = await test(client, id, model, limit?.signal);
    set(id, undefined);
    await note(id, Math.round(seconds * 1000));
    return seconds;
  } catch (error) {
    const failure = limit?.signal.aborted ? new Error(limit.words) : error;
    set(id, { kind: 'failed', reason: failureText(failure) });
    await note(id, undefined);
    throw failure;
  }
};
