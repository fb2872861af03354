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
  // In the order they came; a place is emptied when its hold is written or overtaken. The map holds numbers alone: the
  // tables that a busy map leaves behind keep what they hold alive until a full garbage collection.
  let queue: (Waiting | undefined)[] = [];
  let places = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const take = (requestId: string): Waiting | undefined => {
    const place = places.get(requestId);
    if (place === undefined) return undefined;
    places.delete(requestId);
    const entry = queue[place];
    queue[place] = undefined;
    return entry;
  };
  /** Forgets the emptied places at the front. */
  const compact = () => {
    const first = queue.findIndex((entry) => entry !== undefined);
    queue = first < 0 ? [] : queue.slice(first);
    places = new Map(queue.flatMap((entry, place) => (entry === undefined ? [] : [[entry.hold.requestId, place]])));
  };

  const send = (requestId: string) => {
    const entry = take(requestId);
    entry?.settle(write(entry.hold));
  };
  const sendOld = () => {
    timer = undefined;
    const limit = performance.now() - waitMs;
    for (const entry of queue) {
      if (entry !== undefined && entry.since > limit) break;
      if (entry !== undefined) send(entry.hold.requestId);
    }
    compact();
    if (queue.length > 0) timer = setTimeout(sendOld, waitMs / 2);
  };
  const wait = (hold: HoldPosting) =>
    new Promise<PostingResult>((resolve) => {
      places.set(hold.requestId, queue.length);
      queue.push({ hold, since: performance.now(), settle: resolve });
      timer ??= setTimeout(sendOld, waitMs);
    });

  /** What ends a request before its hold was written; anything else needs the hold first. */
  const overtake = (requestId: string, posting: Posting): Promise<PostingResult> => {
    if (posting.kind !== 'settle' && posting.kind !== 'release') {
      send(requestId);
      return write(posting);
    }
    take(requestId)?.settle(cancelled);
    return posting.kind === 'settle' ? write({ ...posting, unheld: true }) : Promise.resolve(cancelled);
  };
  const post = (posting: Posting): Promise<PostingResult> => {
    if ('requestId' in posting && places.has(posting.requestId)) return overtake(posting.requestId, posting);
    return posting.kind === 'hold' && posting.lazy === true ? wait(posting) : write(posting);
  };
  return {
    post,
    flush: () => {
      clearTimeout(timer);
      timer = undefined;
      for (const requestId of Array.from(places.keys())) send(requestId);
    },
  };
};
