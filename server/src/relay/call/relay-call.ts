import { attemptOn } from './attempt-on.ts';
import { deliverPlain } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import type { Job, RelayTools } from './job.ts';
import { runCall } from './run-call.ts';

/** Relays one call that is a request with one answer, whole or as a stream. */
export const relayCall = (tools: RelayTools, job: Job): Promise<void> =>
  runCall(tools, job, {
    attempt: (trial) => attemptOn(tools, job, trial),
    deliver: (answered, paid) => {
      if (answered.kind === 'stream') return deliverStream(tools, job, answered, paid);
      // Nobody needs what a client still sends behind a whole answer.
      job.rest?.close();
      return deliverPlain(tools, job, answered, paid);
    },
  });
