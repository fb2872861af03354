import type { Database } from '../store/database.ts';
import type { EventLoopTimers } from '../store/ledger/event-loop-timers.ts';

/** The way to the ledger, and whether it answers. */
export interface WatchedPosts extends Pick<Database, 'kind' | 'post'> {
  /** The last posting was answered, and none waits for long. */
  isSteady(): boolean;
}

/** Longer than a commit takes on a busy machine. */
const steadyMs = 500;

/** Notes how postings end, of a database that may be away. */
export const watchPosts = (
  { kind, post }: Pick<Database, 'kind' | 'post'>,
  timers: Pick<EventLoopTimers, 'now'>,
): WatchedPosts => {
  if (kind === 'sqlite') return { kind, post, isSteady: () => true };
  let open = 0;
  /** Of the last answer, or of the first posting that waits for one. */
  let since = 0;
  let failed = false;
  const end = (fails: boolean) => {
    open -= 1;
    since = timers.now();
    failed = fails;
  };
  return {
    kind,
    post: (posting) => {
      if (open === 0) since = timers.now();
      open += 1;
      const result = post(posting);
      result.then(
        () => end(false),
        () => end(true),
      );
      return result;
    },
    isSteady: () => !failed && (open === 0 || timers.now() - since < steadyMs),
  };
};
