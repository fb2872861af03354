import type { Conversation } from './conversation.ts';

export interface Adjustments {
  /** Replaces the system message of the request; empty: the message stays. */
  readonly systemPrompt: string;
  /** At most this many output tokens; null: the limit of the request applies. */
  readonly outputCap: number | null;
}

/** The conversation with the system prompt of its channel and the output cap of its balance. */
export const adjust = (conversation: Conversation, { systemPrompt, outputCap }: Adjustments): Conversation => ({
  ...conversation,
  ...(systemPrompt !== '' && { system: [{ kind: 'text', text: systemPrompt }] }),
  ...(outputCap !== null && { outputLimit: Math.min(outputCap, conversation.outputLimit ?? outputCap) }),
});
