import type { Framing } from '../../../providers/provider.ts';
import { createAwsSplitter } from './aws-events.ts';
import { pieceBytes } from '../../memory/memory-budget.ts';
import { createSseSplitter } from './sse.ts';
import type { Splitter, WireEvent } from './wire-event.ts';

const lf = 0x0a;

/** Every line is an event, except empty ones. */
const createLineSplitter = (eventBytesMax: number): Splitter => {
  const parts: Buffer[] = [];
  let partBytes = 0;
  const take = (tail: Buffer): WireEvent | null => {
    const bytes = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
    parts.length = 0;
    partBytes = 0;
    const data = bytes.toString('utf8').trim();
    return data === '' ? null : { bytes, data };
  };
  return {
    push: (chunk) => {
      const events: WireEvent[] = [];
      let start = 0;
      for (let end = chunk.indexOf(lf); end >= 0; end = chunk.indexOf(lf, start)) {
        const event = take(chunk.subarray(start, end + 1));
        if (event !== null) events.push(event);
        start = end + 1;
      }
      if (start < chunk.length) {
        parts.push(chunk.subarray(start));
        partBytes += chunk.length - start;
      }
      return partBytes > eventBytesMax || events.some(({ bytes }) => bytes.length > eventBytesMax) ? null : events;
    },
    kept: () => partBytes + parts.length * pieceBytes,
    rest: () => take(Buffer.alloc(0)),
  };
};

const splitters: Readonly<Record<Framing, (eventBytesMax: number) => Splitter>> = {
  sse: createSseSplitter,
  lines: createLineSplitter,
  aws: createAwsSplitter,
};

/** The splitter of a framing; events larger than `eventBytesMax` are refused. */
export const createSplitter = (framing: Framing, eventBytesMax: number): Splitter => splitters[framing](eventBytesMax);
