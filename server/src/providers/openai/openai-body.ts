import { isObject, type Json } from '../../conversation/json.ts';
import { badBody, reportedFailure } from '../failure.ts';
import type { StreamTraits } from './openai-stream.ts';
import type { Refusal, RelayFailure } from '../provider.ts';

/** A body that is a chat completion. */
export interface Completion {
  readonly kind: 'completion';
  readonly members: Json;
}

const refused = (failure: RelayFailure): Refusal => ({ kind: 'refusal', failure });

/** Reads a whole, parsed body of a success status as a completion, or as the failure that it reports. */
export const readCompletion = (parsed: unknown, { failureIn }: StreamTraits): Completion | Refusal => {
  if (!isObject(parsed)) return refused(badBody('the upstream response is not a JSON object'));
  const failure = failureIn?.(parsed) ?? reportedFailure(parsed);
  if (failure !== null) return refused(failure);
  if (!Array.isArray(parsed['choices'])) return refused(badBody('the upstream response has no choices'));
  return { kind: 'completion', members: parsed };
};
