import { attemptOn } from './attempt-on.ts';
import { deliverPlain } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import { runCall } from './run-call.ts';

/** Relays one call that is a request with one answer, whole or as a stream. */
export const relayCall = (context: RelayContext, call: RelayedCall): Promise<void> =>
  runCall(context, call, {
    attempt: (target) => attemptOn(context, call, target),
    deliver: (answered, billing) => {
      if (answered.kind === 'stream') return deliverStream(context, call, answered, billing);
      // Nobody needs what a client still sends behind a whole answer.
      call.rest?.close();
      return deliverPlain(context, call, answered, billing);
    },
  });
