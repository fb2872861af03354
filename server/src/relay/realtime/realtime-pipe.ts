import type { WebSocket } from 'ws';
import { HeldMessages, type HeldMessagesOptions } from './held-messages.ts';
import type { Message } from './message.ts';

export interface PipeOptions extends HeldMessagesOptions {
  readonly to: WebSocket;
  /** Bytes that may wait to be sent. */
  readonly bufferMax: number;
  /** How long the receiver may leave pending data unread. */
  readonly stalledMs: number;
  /** Called when too much waits, and when it no longer does. */
  onFull(full: boolean): void;
}

/** Sends the messages of one socket to another, and reports when too much waits there. */
export class RealtimePipe {
  private full = false;
  private stalled: NodeJS.Timeout | undefined;
  private readonly held: HeldMessages;
  private readonly options: PipeOptions;

  constructor(options: PipeOptions) {
    this.options = options;
    this.held = new HeldMessages(options);
  }

  /** A message arrived, and is sent later. */
  receive(message: Message): void {
    this.held.add(message);
  }

  send(message: Message): void {
    const { to, bufferMax, stalledMs, onFull } = this.options;
    const { data, binary } = message;
    to.send(data, { binary }, () => this.sent(message));
    if (this.full || to.bufferedAmount <= bufferMax) return;
    this.full = true;
    onFull(true);
    this.stalled = setTimeout(() => to.terminate(), stalledMs);
  }

  close(): void {
    clearTimeout(this.stalled);
  }

  private sent(message: Message): void {
    this.held.remove(message);
    const { to, bufferMax, onFull } = this.options;
    if (!this.full || to.bufferedAmount > bufferMax / 2) return;
    clearTimeout(this.stalled);
    this.full = false;
    onFull(false);
  }
}
