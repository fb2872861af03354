import type { Conversation } from './conversation.ts';

export interface Adjustments {
  /** Replaces what the caller's system message says; empty: nothing does. */
  readonly systemPrompt: string;
  /** At most this many output tokens; null: the caller's own limit stands. */
  readonly outputCap: number | null;
}

/** The conversation as a channel and the balance want it asked. */
export const adjust = (conversation: Conversation, { systemPrompt, outputCap }: Adjustments): Conversation => ({
  ...conversation,
  ...(systemPrompt !== '' && { system: [{ kind: 'text', text: systemPrompt }] }),
  ...(outputCap !== null && { outputLimit: Math.min(outputCap, conversation.outputLimit ?? outputCap) }),
});
