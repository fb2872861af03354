import { type MemoryPart, pieceBytes } from '../memory/memory-budget.ts';
import { messageBytes } from '../upstream/open-socket.ts';
import type { Message, OpenSocket } from './message.ts';

const sizeOf = ({ data }: Message): number => pieceBytes + messageBytes(data).length;

export interface HeldMessagesOptions {
  /** Where the messages come from. */
  readonly from: OpenSocket;
  readonly memory: MemoryPart;
  /** There is no memory for what arrives. */
  onRefused(): void;
}

/** Counts the messages of one socket that are here, from their first byte until the other socket has sent them. */
export class HeldMessages {
  /** Bytes of the message that is not complete. */
  private arrived = 0;
  private complete = 0;
  private readonly options: HeldMessagesOptions;

  constructor(options: HeldMessagesOptions) {
    this.options = options;
    const { socket, connection } = options.from;
    const count = (chunk: Buffer): void => this.count(this.arrived + chunk.length, 0);
    // Before the socket itself, which may complete a message by it.
    connection.prependListener('data', count);
    socket.once('close', () => connection.off('data', count));
  }

  add(message: Message): void {
    this.count(0, sizeOf(message));
  }

  remove(message: Message): void {
    this.count(this.arrived, -sizeOf(message));
  }

  private count(arrived: number, more: number): void {
    this.arrived = arrived;
    this.complete += more;
    const { memory, onRefused } = this.options;
    if (memory.resize(this.arrived + this.complete) !== null) onRefused();
  }
}
