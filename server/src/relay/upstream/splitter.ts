import type { Framing } from '../../providers/provider.ts';
import { createAwsSplitter } from './aws-events.ts';
import { createLineSplitter } from './lines.ts';
import { createSseSplitter } from './sse.ts';
import type { Splitter } from './wire-event.ts';

const splitters: Readonly<Record<Framing, (eventBytesMax: number) => Splitter>> = {
  sse: createSseSplitter,
  lines: createLineSplitter,
  aws: createAwsSplitter,
};

/** The splitter of a framing; events larger than `eventBytesMax` are refused. */
export const createSplitter = (framing: Framing, eventBytesMax: number): Splitter => splitters[framing](eventBytesMax);
