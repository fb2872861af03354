import type { Database } from '../../store/database.ts';
import { findUpstreamStates, keepUpstreamStates, type UpstreamState } from '../../store/upstream-states.ts';

/** What upstreams keep for users: see `UpstreamState`. */
export interface UpstreamStates {
  find(ids: readonly string[]): Promise<readonly UpstreamState[]>;
  /** Resolves once they are stored. Never rejects: what is not stored counts as unknown. */
  keep(states: readonly Omit<UpstreamState, 'expires_at'>[]): Promise<void>;
}

export interface UpstreamStatesDeps {
  readonly db: Pick<Database, 'read' | 'write'>;
  readonly clock: { now(): number };
  onError(error: unknown): void;
}

/** Seconds: vendors keep responses for 30 days. */
const keptSeconds = 31 * 86_400;

export const createUpstreamStates = ({ db, clock, onError }: UpstreamStatesDeps): UpstreamStates => {
  const now = () => Math.floor(clock.now() / 1000);
  return {
    find: (ids) => findUpstreamStates(db, ids, now()),
    keep: (states) =>
      keepUpstreamStates(
        db,
        states.map((state) => ({ ...state, expires_at: now() + keptSeconds })),
      ).catch(onError),
  };
};
