/** One event of a stream, whatever tells it from the next. */
export interface WireEvent {
  /** Its own bytes, whatever ends it included. */
  readonly bytes: Buffer;
  /** What it says; null: nothing (a comment). */
  readonly data: string | null;
}

/** Cuts a byte stream into events wherever its chunks are cut. */
export interface Splitter {
  /** The events that this chunk completes. Null: an event is larger than allowed. */
  push(chunk: Buffer): WireEvent[] | null;
  /** What is left at the end of the stream, completed so that more can follow. Null: nothing that says anything. */
  rest(): WireEvent | null;
}
