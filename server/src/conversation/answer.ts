import type { AssistantPart } from './conversation.ts';
import type { Usage } from './usage.ts';

/** Why an answer ended. */
export type Finish =
  | 'stop'
  /** One of the stop texts of the request. */
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'content_filter';

/** A whole answer in neutral form. */
export interface Answer {
  /** The vendor's id; empty: it gave none. */
  readonly id: string;
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
  /** The stop text that ended the answer, where the vendor names it. */
  readonly stopText?: string;
  /** Null: the vendor reported none. */
  readonly usage: Usage | null;
}

/**
 * One step of a streamed answer. A stream is `start`, then parts in their order, then `finish`; `usage` may occur
 * anywhere, and the last one counts. Pieces of one part follow each other; pieces of tool calls may interleave by
 * `index`.
 */
export type StreamEvent =
  | { readonly kind: 'start'; /** The vendor's; empty: none. */ readonly id: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Belongs to the reasoning before it, and ends it. */
  | { readonly kind: 'signature'; readonly signature: string; readonly redacted?: true }
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'image'; readonly mime: string; readonly base64: string }
  /** `index` counts the calls of this answer from 0. */
  | {
      readonly kind: 'tool_start';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
    }
  | { readonly kind: 'tool_arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'finish'; readonly finish: Finish; readonly stopText?: string };
