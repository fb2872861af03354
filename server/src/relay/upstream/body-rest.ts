import type { FormReader } from '../../dialects/dialect.ts';
import type { BodySource } from './body-source.ts';
import { RelayError } from '../client/relay-error.ts';

/** What of a body had not come yet when its call began: it goes on to the upstream as it comes. */
export interface BodyRest {
  /** Bytes; null: the client did not tell how many. */
  readonly length: number | null;
  /** It can be sent again from where it began. */
  isReplayable(): boolean;
  /** Reads it from where it began; whoever read it before gets nothing more. */
  open(): RestReader;
  /** Leaves what has not come unread. */
  close(): void;
}

export interface RestReader {
  /** The next piece; null: the end. Rejects with what is wrong with the body, or when the client went away. */
  next(): Promise<Buffer | null>;
}

export interface RestOptions {
  readonly source: BodySource;
  /** Judges what comes. */
  readonly reader: FormReader;
  readonly length: number | null;
  /** Bytes that the rest may have. */
  readonly max: number;
  /** Bytes of it that are kept in case another channel has to be asked. */
  readonly keptMax: number;
}

/** Has a life: one body. */
class FormRest implements BodyRest {
  readonly length: number | null;
  private kept: Buffer[] = [];
  private lost = false;
  private size = 0;
  private ended = false;
  private pulling: Promise<Buffer | null> | null = null;
  private reading: object | null = null;
  private readonly options: RestOptions;

  constructor(options: RestOptions) {
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
    if (this.size > this.options.keptMax) {
      this.lost = true;
      this.kept = [];
    }
    if (!this.lost) this.kept.push(piece);
  }
}

export const createBodyRest = (options: RestOptions): BodyRest => new FormRest(options);
