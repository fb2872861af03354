import { hash } from 'node:crypto';
import type { Inbound } from '../../dialects/dialect.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** The channel key that served each conversation last: its upstream has cached the beginning of the next call. */
export interface Affinity {
  /** A channel key; null: the conversation is unknown. */
  find(conversation: string): string | null;
  keep(conversation: string, channel: RoutedChannel): void;
}

/** The conversation of a call. */
export interface ConversationKey {
  readonly key: string;
  /** It continues an earlier call: the first call of a conversation has no sticky key. */
  readonly continued: boolean;
}

/** Longer than any vendor caches an unused prompt. */
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

/** Null: the call belongs to no conversation that can be recognized. */
export const conversationKeyOf = ({ model, opening }: Inbound, userId: number): ConversationKey | null => {
  const found = opening?.() ?? null;
  if (found === null) return null;
  const key = hash('sha256', `${userId}\n${model}\n${found.text}`, 'base64');
  return { key, continued: found.continued };
};
