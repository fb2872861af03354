/**
 * Token counts as an upstream reported them, unchecked; undefined: not reported. `prompt` includes what was read from
 * and written to a cache, `completion` includes reasoning, however the vendor counts.
 */
export interface Usage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly total: unknown;
  /** Parts of the two; absent: the vendor reports none. */
  readonly parts?: UsageParts;
  /** The service tier that the vendor processed the call in, by its own name. Absent: the vendor reports none. */
  readonly serviceTier?: unknown;
  /** The vendor charges for the prompt alone; the output is free. */
  readonly freeOutput?: true;
}

/** Parts of a prompt or a completion that vendors price separately. Absent, or no number: not reported. */
export interface UsageParts {
  /** Of the prompt. */
  readonly cacheRead?: unknown;
  /** Of the prompt, kept for five minutes or for as long as the vendor's default. */
  readonly cacheWrite?: unknown;
  /** Of the prompt, kept for an hour. */
  readonly cacheWriteLong?: unknown;
  readonly audioPrompt?: unknown;
  readonly imagePrompt?: unknown;
  /** Of the completion. */
  readonly reasoning?: unknown;
  readonly audioCompletion?: unknown;
  readonly imageCompletion?: unknown;
}

/** A reported count that can be calculated with; anything else is 0. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
