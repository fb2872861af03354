import { deliverPlain } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import type { RelayedCall } from './relayed-call.ts';
import { attemptRequest } from './run-attempt.ts';
import { runCall } from './run-call.ts';

/** Relays a call that is one HTTP request with one answer, whole or as a stream. */
export const relayCall = (call: RelayedCall): Promise<void> =>
  runCall(call, {
    attempt: (target) => attemptRequest(call, target),
    deliver: (answered, billing) => {
      if (answered.kind === 'stream') return deliverStream(call, answered, billing);
      // The answer is complete: the rest of the request is not needed.
      call.rest?.close();
      return deliverPlain(call, answered, billing);
    },
  });
