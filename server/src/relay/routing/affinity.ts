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
export interface Turn {
  readonly conversation: string;
  /** It goes on with something: the first call of a conversation is free to go anywhere. */
  readonly continued: boolean;
}

/** Longer than any vendor keeps a prompt that nobody asks for again. */
const keptMs = 60 * 60_000;
const keptMax = 100_000;

export const createAffinity = ({ clock }: { readonly clock: { now(): number } }): Affinity => {
  /** In the order of their last use. */
  const kept = new Map<string, { readonly lane: string; readonly until: number }>();
  return {
    find: (conversation) => {
      const found = kept.get(conversation);
      return found === undefined || found.until <= clock.now() ? null : found.lane;
    },
    keep: (conversation, { lane }) => {
      kept.delete(conversation);
      kept.set(conversation, { lane, until: clock.now() + keptMs });
      if (kept.size <= keptMax) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
};

/** Null: the call belongs to no conversation that could be told from others. */
export const turnOf = ({ model, opening }: Inbound, userId: number): Turn | null => {
  const found = opening?.() ?? null;
  if (found === null) return null;
  const conversation = hash('sha256', `${userId}\n${model}\n${found.text}`, 'base64');
  return { conversation, continued: found.continued };
};
