import { parseExact } from '../conversation/exact-numbers.ts';
import { isObject, type Json } from '../conversation/json.ts';
import { badBody } from './failure.ts';
import type { EventReader, ReadStep, Refusal, RelayFailure } from './provider.ts';

/** A stream whose events are JSON objects. Stateful: one for each stream. */
export interface JsonEvents {
  /** The failure that an event reports; null: none. */
  failureIn(event: Json): RelayFailure | null;
  read(event: Json): ReadStep;
  /** See `EventReader`. */
  finished(): boolean;
}

/** Reads each event as an object; anything else is a failure. */
export const jsonEvents = (events: JsonEvents): EventReader => ({
  event: (data) => {
    if (data === null || data === '') return { events: [] };
    const parsed = parseExact(data);
    if (!isObject(parsed))
      return { events: [], failure: badBody('the upstream sent an event that is not a JSON object') };
    const failure = events.failureIn(parsed);
    return failure === null ? events.read(parsed) : { events: [], failure };
  },
  finished: () => events.finished(),
});

/** A whole body as an object, or a refusal when it is not an object or reports a failure. */
export const jsonBody = (
  body: Buffer,
  failureIn: (body: Json) => RelayFailure | null,
): { readonly kind: 'json'; readonly members: Json } | Refusal => {
  const parsed = parseExact(body.toString());
  if (!isObject(parsed)) return { kind: 'refusal', failure: badBody('the upstream response is not a JSON object') };
  const failure = failureIn(parsed);
  return failure === null ? { kind: 'json', members: parsed } : { kind: 'refusal', failure };
};
