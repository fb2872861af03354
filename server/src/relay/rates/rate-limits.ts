import type { Database } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { countNodes } from '../../store/nodes/count-nodes.ts';
import { listRateLimits } from '../../store/rate-limits.ts';
import { CallLimits, type LimitedCall } from './call-limits.ts';
import { CallQueue, type QueueSettings } from './call-queue.ts';
import { createLimitIndex, type LimitIndex } from './limit-index.ts';

/** Limits of relayed calls by the rules of the operator. */
export interface RateLimits {
  /** Null: the rules are current; otherwise resolves once they are. */
  ready(): Promise<void> | null;
  /** The limits of a call, not yet counted; null: there are no rules. */
  of(call: LimitedCall): CallLimits | null;
  /** Calls that wait for a channel with room. */
  readonly queue: CallQueue;
  close(): void;
}

interface RateLimitsDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly clock: { now(): number };
  settings(): { readonly queue: QueueSettings };
  onError(error: unknown): void;
}

/** Subjects that are counted at once, over all rules. */
const cellsMax = 200_000;
/** How often the nodes are counted that share the limits, while there are rules. */
const countMs = 5000;

const noRules: LimitIndex = { ofCalls: [], ofChannels: [], all: [] };

/** Milliseconds that never go back: a clock that is set back must not keep subjects at their limits. */
const steadyClock = (clock: { now(): number }): (() => number) => {
  let last = 0;
  let offset = 0;
  return () => {
    const now = clock.now() + offset;
    if (now < last) offset += last - now;
    last = Math.max(last, now);
    return last;
  };
};

/**
 * Loads the rules and keeps them current. Each node counts by itself: of n nodes each admits an n-th of an amount, at
 * least 1, so that all together admit the amount, or n where it is less. A node that starts or ends changes the parts
 * within `countMs` and the time of one query.
 */
export const loadRateLimits = async (deps: RateLimitsDeps): Promise<RateLimits> => {
  const { db, changes, clock, onError } = deps;
  const queue = new CallQueue(() => deps.settings().queue);
  const room = { cells: 0, max: cellsMax };
  const now = steadyClock(clock);
  let index: LimitIndex | null = null;
  let nodes = 1;
  let isStale = false;
  let reading: Promise<void> | null = null;
  let isAwaited = false;

  const read = async (): Promise<void> => {
    const rows = await listRateLimits(db.read);
    if (rows.length > 0) nodes = await countNodes(db);
    const next = createLimitIndex({ rows, nodes, room, now: now(), last: index });
    index = rows.length === 0 ? null : next;
  };
  const readUntilCurrent = async (): Promise<void> => {
    try {
      do {
        isStale = false;
        await read();
      } while (isStale);
    } catch (error) {
      onError(error);
    } finally {
      // In the turn of the last check: a change after it begins another reading.
      reading = null;
      isAwaited = false;
    }
  };
  const update = (): void => {
    isStale = true;
    reading ??= readUntilCurrent();
  };
  await read();
  // A rule that was changed counts for the next call: it waits. The count of the nodes is not waited for.
  const unsubscribe = changes.subscribe('rate_limit', () => {
    update();
    isAwaited = true;
  });
  const node = { index: () => index ?? noRules, now, freed: (id: number) => queue.freed(id) };
  const timer = db.kind === 'sqlite' ? null : setInterval(() => index !== null && update(), countMs).unref();
  return {
    queue,
    ready: () => (isAwaited ? reading : null),
    of: (call) => (index === null ? null : new CallLimits(call, node)),
    close: () => {
      unsubscribe();
      queue.close();
      if (timer !== null) clearInterval(timer);
    },
  };
};
