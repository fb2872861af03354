import type { FormReader } from '../../dialects/dialect.ts';
import type { BodySource } from './body-source.ts';
import type { BodyRest, RestReader } from '../upstream/upstream-call.ts';
import { type MemoryPart, pieceBytes } from '../memory/memory-budget.ts';
import { RelayError } from './relay-error.ts';

export interface FormRestOptions {
  readonly source: BodySource;
  /** Checks the pieces as they arrive. */
  readonly reader: FormReader;
  readonly length: number | null;
  /** The size limit of the rest, in bytes. */
  readonly max: number;
  /** Bytes of it that are kept for an attempt on another channel. */
  readonly keptMax: number;
  readonly memory: MemoryPart;
}

class FormRest implements BodyRest {
  readonly length: number | null;
  private kept: Buffer[] = [];
  private lost = false;
  private size = 0;
  private ended = false;
  private pulling: Promise<Buffer | null> | null = null;
  private reading: object | null = null;
  private readonly options: FormRestOptions;

  constructor(options: FormRestOptions) {
    this.options = options;
    this.length = options.length;
  }

  isReplayable(): boolean {
    return !this.lost;
  }

  open(): RestReader {
    const reading = {};
    this.reading = reading;
    let at = 0;
    return {
      next: async () => {
        if (this.reading !== reading) return null;
        const known = this.kept[at];
        if (known === undefined && this.ended) return null;
        at += 1;
        const piece = known ?? (await this.pull());
        return this.reading === reading ? piece : null;
      },
    };
  }

  close(): void {
    this.reading = null;
    this.options.source.close();
  }

  /** Readers that wait for the same piece wait together. */
  private pull(): Promise<Buffer | null> {
    this.pulling ??= this.take().finally(() => (this.pulling = null));
    return this.pulling;
  }

  private async take(): Promise<Buffer | null> {
    const { source, reader, max } = this.options;
    const piece = await source.next();
    const fault = piece === null ? reader.end() : reader.push(piece);
    if (fault !== null && this.reading !== null) throw new RelayError(fault.code, { detail: fault.message });
    if (piece === null) {
      this.ended = true;
      return null;
    }
    this.size += piece.length;
    if (this.size > max) throw new RelayError('body_too_large', { max });
    this.keep(piece);
    return piece;
  }

  private keep(piece: Buffer): void {
    const { keptMax, memory } = this.options;
    if (this.lost) return;
    this.kept.push(piece);
    const cost = this.size + this.kept.length * pieceBytes;
    if (this.size <= keptMax && memory.resize(cost) === null) return;
    this.lost = true;
    this.kept = [];
    memory.resize(0);
  }
}

export const createFormRest = (options: FormRestOptions): BodyRest => new FormRest(options);
