import { randomBytes } from 'node:crypto';

/** Short texts that stand for long ones, each by its number, in a request that is being written. */
export interface Marking {
  /** What every mark begins with. */
  readonly head: string;
  /** Of a whole mark. */
  readonly length: number;
  of(index: number): string;
  /** Replaces each mark by the text of its number. */
  restore(written: Buffer, texts: readonly Buffer[]): Buffer;
}

const indexLength = 6;

/** Clients cannot guess its marks, and JSON writes them without escapes. */
export const createMarking = (): Marking => {
  const head = randomBytes(16).toString('hex');
  const headBytes = Buffer.from(head);
  const length = head.length + indexLength;
  return {
    head,
    length,
    of: (index) => head + String(index).padStart(indexLength, '0'),
    restore: (written, texts) => {
      const pieces: Buffer[] = [];
      let from = 0;
      for (let at = written.indexOf(headBytes); at >= 0; at = written.indexOf(headBytes, at + length)) {
        const raw = texts[Number(written.toString('latin1', at + head.length, at + length))];
        if (raw === undefined) continue;
        pieces.push(written.subarray(from, at), raw);
        from = at + length;
      }
      if (pieces.length === 0) return written;
      pieces.push(written.subarray(from));
      return Buffer.concat(pieces);
    },
  };
};
