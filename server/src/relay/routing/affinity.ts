import { hash } from 'node:crypto';
import type { Inbound } from '../../dialects/dialect.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** Which channel and key served a conversation last: its upstream has read the beginning of the next call already. */
export interface Affinity {
  /** Null: nothing is known of it. */
  find(conversation: string): string | null;
  keep(conversation: string, channel: RoutedChannel): void;
}

/** A call within its conversation. */
export interface ConversationKey {
  readonly key: string;
  /** It goes on with something: the first call of a conversation is free to go anywhere. */
  readonly continued: boolean;
}

/** Longer than any vendor keeps a prompt that nobody asks for again. */
const keptMs = 60 * 60_000;
const keptMax = 100_000;

export const createAffinity = ({ clock }: { readonly clock: { now(): number } }): Affinity => {
  /** In the order of their last use. */
  const kept = new Map<string, { readonly channelKey: string; readonly until: number }>();
  return {
    find: (conversation) => {
      const found = kept.get(conversation);
      return found === undefined || found.until <= clock.now() ? null : found.channelKey;
    },
    keep: (conversation, { channelKey }) => {
      kept.delete(conversation);
      kept.set(conversation, { channelKey, until: clock.now() + keptMs });
      if (kept.size <= keptMax) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
};

/** Null: the call belongs to no conversation that could be told from others. */
export const conversationKeyOf = ({ model, opening }: Inbound, userId: number): ConversationKey | null => {
  const found = opening?.() ?? null;
  if (found === null) return null;
  const key = hash('sha256', `${userId}\n${model}\n${found.text}`, 'base64');
  return { key, continued: found.continued };
};
