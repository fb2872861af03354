import type { QueryClient } from '@tanstack/react-query';
import { failureText } from '../../lib/failure-text.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { m } from '../../paraglide/messages.js';
import { test } from './queries.ts';
import { noteTest } from './recent-tests.ts';

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

interface TestOptions {
  /** Absent: the channel's own choice. */
  readonly model?: string;
  /** When to stop waiting. */
  readonly limitMs?: number;
}

/** Runs a test and keeps its state beside the row; resolves to the seconds it took, throws when it failed. */
export const runTest = async (
  client: QueryClient,
  id: number,
  { model = '', limitMs }: TestOptions = {},
): Promise<number> => {
  const limit = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
  set(id, { kind: 'running', startedMs: Date.now() });
  try {
    const seconds = await test(client, id, model, limit);
    set(id, undefined);
    noteTest(id, Math.round(seconds * 1000));
    return seconds;
  } catch (error) {
    const failure = limit?.aborted ? new Error(m.channel_test_late({ seconds: (limitMs ?? 0) / 1000 })) : error;
    set(id, { kind: 'failed', reason: failureText(failure) });
    noteTest(id, undefined);
    throw failure;
  }
};
