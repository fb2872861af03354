import type { Framing } from '../providers/provider.ts';
import { createLineSplitter } from './lines.ts';
import { createSseSplitter } from './sse.ts';
import type { Splitter } from './wire-event.ts';

/** The splitter of a framing; events larger than `eventBytesMax` are refused. */
export const createSplitter = (framing: Framing, eventBytesMax: number): Splitter =>
  framing === 'sse' ? createSseSplitter(eventBytesMax) : createLineSplitter(eventBytesMax);
