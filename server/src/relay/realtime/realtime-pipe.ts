import type { RawData, WebSocket } from 'ws';

export interface PipeOptions {
  readonly to: WebSocket;
  /** Bytes that may wait to be sent. */
  readonly bufferMax: number;
  /** How long the receiver may leave pending data unread. */
  readonly stalledMs: number;
  /** Called when too much waits, and when it no longer does. */
  onFull(full: boolean): void;
}

/** Sends messages to a socket, and reports when too much waits there. */
export class RealtimePipe {
  private full = false;
  private stalled: NodeJS.Timeout | undefined;
  private readonly options: PipeOptions;

  constructor(options: PipeOptions) {
    this.options = options;
  }

  send(data: RawData, binary: boolean): void {
    const { to, bufferMax, stalledMs, onFull } = this.options;
    to.send(data, { binary }, () => this.sent());
    if (this.full || to.bufferedAmount <= bufferMax) return;
    this.full = true;
    onFull(true);
    this.stalled = setTimeout(() => to.terminate(), stalledMs);
  }

  close(): void {
    clearTimeout(this.stalled);
  }

  private sent(): void {
    const { to, bufferMax, onFull } = this.options;
    if (!this.full || to.bufferedAmount > bufferMax / 2) return;
    clearTimeout(this.stalled);
    this.full = false;
    onFull(false);
  }
}
