import type { Tokens } from '../../billing/price/price.ts';
import type { UpstreamStates } from './upstream-states.ts';

/** The ids that an answer gives its client, the answer's own first. */
export class GivenIds {
  /** Null: none. Most calls give none, and each open stream would keep an empty set. */
  private ids: Set<string> | null = null;
  private stored = 0;

  /** An empty id names nothing. */
  add(id: string): void {
    if (id !== '') this.ids = (this.ids ?? new Set()).add(id);
  }

  /** Some were added since the last `takeNew`. */
  hasNew(): boolean {
    return this.ids !== null && this.ids.size > this.stored;
  }

  takeNew(): readonly string[] {
    const all = this.all();
    const taken = all.slice(this.stored);
    this.stored = all.length;
    return taken;
  }

  all(): readonly string[] {
    return [...(this.ids ?? [])];
  }
}

/** The answer of one call. */
export interface GivenState {
  readonly userId: number;
  /** The channel key that answers. */
  readonly channelKey: string;
  readonly ids: GivenIds;
  /** Null: not known yet. */
  readonly usage: Tokens | null;
}

/** Ids of one statement. */
const atOnce = 500;

/**
 * Remembers the ids that an answer gives its client, before the client has them: whose they are, and how large what they
 * name is once that is known. Null: it gives none.
 */
export const keepGivenState = (states: UpstreamStates, given: GivenState): Promise<void> | null => {
  const [origin] = given.ids.all();
  return origin === undefined ? null : keepFrom(states, given, origin);
};

const keepFrom = async (
  states: UpstreamStates,
  { userId, channelKey, ids, usage }: GivenState,
  origin: string,
): Promise<void> => {
  const tokens = usage === null ? null : usage.prompt + usage.completion;
  const shared = { user_id: userId, origin_id: origin, channel_key: channelKey, tokens };
  const left = usage === null ? ids.takeNew() : ids.all();
  for (let from = 0; from < left.length; from += atOnce)
    await states.keep(left.slice(from, from + atOnce).map((id) => ({ id, ...shared })));
};
