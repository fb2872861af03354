import type { Conversation } from './conversation.ts';

/** A conversation without the longest texts of its users: marks stand for them. */
export interface Abridged {
  readonly conversation: Conversation;
  /** Puts the texts back into a request that was written of it. */
  restore(written: Buffer): Buffer;
}

/** A conversation as one of which nothing was left out. */
export const unabridged = (conversation: Conversation): Abridged => ({ conversation, restore: (written) => written });
