import type { Tokens } from '../../billing/price/price.ts';
import type { UpstreamStates } from './upstream-states.ts';

/** The answer of one call. */
export interface GivenState {
  readonly userId: number;
  /** The channel key that answers. */
  readonly channelKey: string;
  /** The answer's own id first. */
  readonly ids: ReadonlySet<string>;
  /** Null: not known yet. */
  readonly usage: Tokens | null;
}

/**
 * Remembers the ids that an answer gives its client, before the client has them: whose they are, and how large what they
 * name is once that is known.
 */
export const keepGivenState = async (
  states: UpstreamStates,
  { userId, channelKey, ids, usage }: GivenState,
): Promise<void> => {
  const [origin] = ids;
  if (origin === undefined) return;
  const tokens = usage === null ? null : usage.prompt + usage.completion;
  const shared = { user_id: userId, origin_id: origin, channel_key: channelKey, tokens };
  await states.keep([...ids].map((id) => ({ id, ...shared })));
};
