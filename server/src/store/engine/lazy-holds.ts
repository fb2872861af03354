import type { HoldPosting, Posting, PostingResult } from '../postings.ts';

/** Answers in one piece often come sooner than this; then their hold need not be written at all. */
const waitMs = 10;

interface LazyHolds {
  post(posting: Posting): Promise<PostingResult>;
  /** Writes the holds that still wait. */
  flush(): void;
}

interface Waiting {
  readonly hold: HoldPosting;
  readonly since: number;
  readonly settle: (result: Promise<PostingResult> | PostingResult) => void;
}

const cancelled: PostingResult = { outcome: 'done', charged: 0, unrecovered: 0 };

/**
 * Keeps lazy holds back for a moment. A settlement or release that comes first makes the hold needless: a fast answer
 * costs one set of rows instead of two. Money stays safe because this process is the only one that spends, reserves in
 * memory first, and dies together with the requests it has not settled.
 */
export const createLazyHolds = (write: (posting: Posting) => Promise<PostingResult>): LazyHolds => {
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const send = (requestId: string) => {
    const entry = waiting.get(requestId);
    waiting.delete(requestId);
    entry?.settle(write(entry.hold));
  };
  const sendOld = () => {
    timer = undefined;
    const limit = performance.now() - waitMs;
    for (const [requestId, { since }] of waiting) {
      if (since > limit) break;
      send(requestId);
    }
    if (waiting.size > 0) timer = setTimeout(sendOld, waitMs / 2);
  };
  const wait = (hold: HoldPosting) =>
    new Promise<PostingResult>((resolve) => {
      waiting.set(hold.requestId, { hold, since: performance.now(), settle: resolve });
      timer ??= setTimeout(sendOld, waitMs);
    });

  /** What ends a request before its hold was written; anything else needs the hold first. */
  const overtake = (early: Waiting, posting: Posting): Promise<PostingResult> => {
    if (posting.kind !== 'settle' && posting.kind !== 'release') {
      send(early.hold.requestId);
      return write(posting);
    }
    waiting.delete(early.hold.requestId);
    early.settle(cancelled);
    return posting.kind === 'settle' ? write({ ...posting, unheld: true }) : Promise.resolve(cancelled);
  };
  const post = (posting: Posting): Promise<PostingResult> => {
    const early = 'requestId' in posting ? waiting.get(posting.requestId) : undefined;
    if (early !== undefined) return overtake(early, posting);
    return posting.kind === 'hold' && posting.lazy === true ? wait(posting) : write(posting);
  };
  return {
    post,
    flush: () => {
      clearTimeout(timer);
      timer = undefined;
      for (const requestId of waiting.keys()) send(requestId);
    },
  };
};
