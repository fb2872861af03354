import type { HttpRequest } from '../../http/plain/exchange.ts';
import { ClientGoneError } from './request-body.ts';

/** The body of a request, read piece by piece. What is not read stays with the client. */
export interface BodySource {
  /** The next piece; null: the body is at its end, or was closed. Rejects when the client disconnected. */
  next(): Promise<Buffer | null>;
  /** Leaves the rest unread. */
  close(): void;
}

class RequestSource implements BodySource {
  private readonly pieces: Buffer[] = [];
  private over = false;
  private gone = false;
  private wake: (() => void) | null = null;
  private readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    this.request = request;
    request.on('data', this.onData);
    request.on('end', this.onEnd);
    request.on('close', this.onClose);
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      const piece = this.pieces.shift();
      if (piece !== undefined) return piece;
      if (this.gone) throw new ClientGoneError();
      if (this.over) return null;
      this.request.resume();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    const { request } = this;
    request.off('data', this.onData);
    request.off('end', this.onEnd);
    request.off('close', this.onClose);
    this.onEnd();
  }

  private readonly onData = (piece: Buffer): void => {
    this.pieces.push(piece);
    this.request.pause();
    this.wakeUp();
  };

  private readonly onEnd = (): void => {
    this.over = true;
    this.wakeUp();
  };

  private readonly onClose = (): void => {
    this.gone = !this.request.complete;
    this.onEnd();
  };

  private wakeUp(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }
}

export const createBodySource = (request: HttpRequest): BodySource => new RequestSource(request);
