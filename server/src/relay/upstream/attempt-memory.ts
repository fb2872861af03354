import type { CallContents } from './remote-content.ts';
import type { CallMemory, MemoryPart } from '../memory/memory-budget.ts';

/** What an attempt holds. Attempts of one call follow each other, and each replaces what the one before held. */
export interface AttemptMemory {
  /** The request to the upstream, where it is a copy of the client's. */
  readonly request: MemoryPart;
  /** What of the answer has arrived and was not read. */
  readonly answer: MemoryPart;
  /** Answers that are joined into one. */
  readonly batches: MemoryPart;
  /** Events of a stream that are incomplete or on their way to the client. */
  readonly events: MemoryPart;
  /** The answer as it was converted for the client. */
  readonly converted: MemoryPart;
  readonly contents: CallContents;
}

export const attemptMemory = (memory: CallMemory): AttemptMemory => ({
  request: memory.part(),
  answer: memory.part(),
  batches: memory.part(),
  events: memory.part(),
  converted: memory.part(),
  contents: { memory, byAddress: new Map() },
});
