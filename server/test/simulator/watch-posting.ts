import { AppError } from '../../src/errors.ts';
import type { PostingResult } from '../../src/store/ledger/postings.ts';

/** What became of a posting so far: `waits`, its outcome, or the code or message of the error. */
export const watchPosting = (posted: Promise<Pick<PostingResult, 'outcome'>>): (() => string) => {
  let state = 'waits';
  posted.then(
    ({ outcome }) => (state = outcome),
    (error: unknown) =>
      (state = error instanceof AppError ? error.code : error instanceof Error ? error.message : 'no error'),
  );
  return () => state;
};
