import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json } from '../../conversation/json.ts';

/**
 * Items that clients may reference instead of sending them again: by user, for a limited time, on this node, while
 * there is room.
 */
export interface ResponseItemCache {
  keep(userId: number, id: string, value: Json): void;
  /** Null: it never was, or is no longer, known here. */
  find(userId: number, id: string): Json | null;
}

export interface ResponseItemCacheOptions {
  readonly clock: { now(): number };
  readonly keptMs: number;
  /** Characters of all values together; the oldest make room. */
  readonly roomMax: number;
}

interface CachedItem {
  readonly text: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** One value may take this part of the room. */
const share = 16;

export const createResponseItemCache = ({ clock, keptMs, roomMax }: ResponseItemCacheOptions): ResponseItemCache => {
  const kept = new Map<string, CachedItem>();
  let taken = 0;
  const drop = (key: string) => {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    taken -= value.text.length;
  };
  const makeRoom = () => {
    const now = clock.now();
    for (const [key, { until }] of kept) {
      if (taken <= roomMax && until > now) return;
      drop(key);
    }
  };
  return {
    keep: (userId, id, value) => {
      const text = JSON.stringify(value);
      if (text.length > roomMax / share) return;
      const key = `${userId} ${id}`;
      drop(key);
      kept.set(key, { text, until: clock.now() + keptMs });
      taken += text.length;
      makeRoom();
    },
    find: (userId, id) => {
      const value = kept.get(`${userId} ${id}`);
      const found = value === undefined || value.until <= clock.now() ? null : parseExact(value.text);
      return isObject(found) ? found : null;
    },
  };
};
