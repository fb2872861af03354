/** One event of a stream, whatever its framing is. */
export interface WireEvent {
  /** Its own bytes, the separator included. */
  readonly bytes: Buffer;
  /** Its content; null: none (a comment). */
  readonly data: string | null;
}

/**
 * Cuts a byte stream into events, independent of its chunks. The list of what is kept is emptied, never replaced, as that
 * of `relay/client/client.ts`.
 */
export interface Splitter {
  /** The events that this chunk completes. Null: an event is larger than allowed. */
  push(chunk: Buffer): WireEvent[] | null;
  /** Bytes of the incomplete event. */
  kept(): number;
  /** The incomplete event at the end of the stream, completed so that more can follow. Null: no content. */
  rest(): WireEvent | null;
}
