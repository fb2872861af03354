import { badBody } from './failure.ts';
import type { StreamTranslator } from './provider.ts';

/** For endpoints that do not stream: a streamed answer is a failure. */
export const noStream = (): StreamTranslator => ({
  event: () => ({ forward: 'none', output: '', failure: badBody('the upstream sent a stream') }),
  finished: () => false,
  lengthEnd: () => Buffer.alloc(0),
  terminator: () => Buffer.alloc(0),
});
