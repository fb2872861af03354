import type { IncomingMessage } from 'node:http';

/** What is read of a refused body before its connection is cut. */
const discardedMaxBytes = 64 * 1024 * 1024;

/**
 * Reads the rest of a refused body and discards it: a client that is still sending then gets the answer, where a closed
 * connection would look like a crash. Cut after `discardedMaxBytes`.
 */
export const discardBody = (request: IncomingMessage): void => {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardedMaxBytes) request.destroy();
  });
};
