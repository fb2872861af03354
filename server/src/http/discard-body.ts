import type { IncomingMessage } from 'node:http';

/** What is read of a refused body before its connection is cut. */
const discardedMaxBytes = 64 * 1024 * 1024;

/**
 * Reads the rest of a refused body and keeps nothing of it: a client that is still sending gets to the answer, where a
 * connection closed under its hands would look like a crash. Nobody may go on for ever like that.
 */
export const discardBody = (request: IncomingMessage): void => {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardedMaxBytes) request.destroy();
  });
};
