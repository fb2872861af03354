import { pieceBytes } from '../../memory/memory-budget.ts';
import type { Splitter, WireEvent } from './wire-event.ts';

const lf = 0x0a;
const cr = 0x0d;

/** Lines end with LF, CR LF or CR alone; an empty line ends an event (HTML standard, server-sent events). */
class SseSplitter implements Splitter {
  private readonly parts: Buffer[] = [];
  private partBytes = 0;
  private lineEmpty = true;
  /** The last byte was a CR that ended a line: an LF now belongs to it. */
  private afterCr = false;
  /** Lines of this stream end with CR LF: an event whose last CR is here waits for its LF. */
  private pairs = false;
  private waits = false;
  private readonly eventBytesMax: number;

  constructor(eventBytesMax: number) {
    this.eventBytesMax = eventBytesMax;
  }

  push(chunk: Buffer): WireEvent[] | null {
    const events: WireEvent[] = [];
    let start = 0;
    let i = 0;
    if (this.afterCr && chunk.length > 0) {
      this.afterCr = false;
      if (chunk[0] === lf) i = 1;
      this.pairs ||= i === 1;
      if (this.waits) {
        this.waits = false;
        events.push(this.take(chunk.subarray(0, i)));
        start = i;
      }
    }
    let nextLf = chunk.indexOf(lf, i);
    let nextCr = chunk.indexOf(cr, i);
    while (nextLf >= 0 || nextCr >= 0) {
      const end = nextCr < 0 || (nextLf >= 0 && nextLf < nextCr) ? nextLf : nextCr;
      const empty = this.lineEmpty && end === i;
      i = end + 1;
      if (end === nextCr && i === chunk.length) this.afterCr = true;
      else if (end === nextCr && chunk[i] === lf) i++;
      this.pairs ||= i - end === 2;
      this.lineEmpty = true;
      if (empty && this.afterCr && this.pairs) {
        this.waits = true;
      } else if (empty) {
        events.push(this.take(chunk.subarray(start, i)));
        start = i;
      }
      if (nextLf >= 0 && nextLf < i) nextLf = chunk.indexOf(lf, i);
      if (nextCr >= 0 && nextCr < i) nextCr = chunk.indexOf(cr, i);
    }
    if (i < chunk.length) this.lineEmpty = false;
    if (start < chunk.length) {
      this.parts.push(start === 0 ? chunk : chunk.subarray(start));
      this.partBytes += chunk.length - start;
    }
    return this.partBytes > this.eventBytesMax || events.some(({ bytes }) => bytes.length > this.eventBytesMax)
      ? null
      : events;
  }

  kept(): number {
    return this.partBytes + this.parts.length * pieceBytes;
  }

  /** With the blank line that some servers leave out. A rest without data is dropped: it may be half a line. */
  rest(): WireEvent | null {
    if (this.partBytes === 0) return null;
    const left = this.take(Buffer.from(this.lineEmpty && !this.afterCr ? '\n' : '\n\n'));
    return left.data === null ? null : left;
  }

  private take(tail: Buffer): WireEvent {
    const { parts } = this;
    const bytes = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
    parts.length = 0;
    this.partBytes = 0;
    return { bytes, data: dataOf(bytes) };
  }
}

export const createSseSplitter = (eventBytesMax: number): Splitter => new SseSplitter(eventBytesMax);

const byteOrderMark = 0xfeff;

const dataOf = (bytes: Buffer): string | null => {
  const whole = bytes.toString('utf8');
  const text = whole.charCodeAt(0) === byteOrderMark ? whole.slice(1) : whole;
  if (text.startsWith('data:')) {
    const end = text.indexOf('\n');
    // The common form, one line: nothing but line ends behind it.
    if (end > 0 && end >= text.length - 2 && !text.slice(0, end - 1).includes('\r')) {
      return text.slice(text[5] === ' ' ? 6 : 5, text[end - 1] === '\r' ? end - 1 : end);
    }
  }
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line === 'data' || line.startsWith('data:'));
  if (lines.length === 0) return null;
  return lines.map((line) => line.slice(line[5] === ' ' ? 6 : 5)).join('\n');
};
