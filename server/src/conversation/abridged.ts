import type { Conversation } from './conversation.ts';

/** A conversation with its longest user texts replaced by marks. */
export interface Abridged {
  readonly conversation: Conversation;
  /** Restores the texts in a request that was written from it. */
  restore(written: Buffer): Buffer;
}

/** An abridged conversation from which nothing was left out. */
export const unabridged = (conversation: Conversation): Abridged => ({ conversation, restore: (written) => written });
