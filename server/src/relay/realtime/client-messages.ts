import { type Json, objectAt } from '../../conversation/json.ts';
import { messageBytes } from '../upstream/open-socket.ts';
import type { Message } from './message.ts';
import { MessageQueue } from './message-queue.ts';
import { type RequestedAnswers, requestedTokens } from './requested-answers.ts';
import type { SessionFunds } from './session-funds.ts';

/** Answers of one session that may be asked for or running at once. */
const outstandingMax = 8;
/** Bytes of messages that may wait before nothing more is read: the end of a connection is only seen by reading on. */
const waitingMax = 1024 * 1024;
/** What a message takes beside its bytes. */
const messageBase = 128;

const sizeOf = ({ data }: Message): number => messageBase + messageBytes(data).length;

export interface ClientMessagesOptions {
  readonly funds: SessionFunds;
  readonly requested: RequestedAnswers;
  read(message: Message): Json;
  forward(message: Message): void;
  /** @param waits nothing is read from the client until this is false again */
  letClientWait(waits: boolean): void;
  /** The balance does not cover the next answer, and no running one can give any of it back. */
  onUncovered(): void;
  onError(error: unknown): void;
}

/**
 * Forwards what the client sends, in its order. A request for an answer passes once the hold of the session covers it beside
 * the others; until then those behind it wait.
 */
export class ClientMessages {
  private over = false;
  private waiting = 0;
  /** Counts what the upstream did. */
  private changes = 0;
  private wake: () => void = () => undefined;
  private readonly queue: MessageQueue<Message>;
  private readonly options: ClientMessagesOptions;

  constructor(options: ClientMessagesOptions) {
    this.options = options;
    const { onError } = options;
    this.queue = new MessageQueue({ handle: (message) => this.handle(message), onEmpty: () => undefined, onError });
  }

  push(message: Message): void {
    this.count(sizeOf(message));
    this.queue.push(message);
  }

  /** Answers that run or were asked for. */
  outstanding(): number {
    const { funds, requested } = this.options;
    return funds.meter.answering() + requested.count();
  }

  onUpstream(event: Json): void {
    const { requested } = this.options;
    if (event['type'] === 'response.created') requested.begin();
    else if (event['type'] === 'error') requested.fail(objectAt(event, 'error'));
    else if (event['type'] !== 'response.done') return;
    this.changes += 1;
    this.wake();
  }

  end(): void {
    this.over = true;
    this.wake();
  }

  private async handle(message: Message): Promise<void> {
    const { funds, forward, read } = this.options;
    if (this.over) return;
    const event = read(message);
    funds.meter.fromClient(event);
    if (event['type'] === 'response.create') await this.admit(event);
    this.count(-sizeOf(message));
    if (!this.over) forward(message);
  }

  private count(bytes: number): void {
    const wasFull = this.waiting > waitingMax;
    this.waiting += bytes;
    const isFull = this.waiting > waitingMax;
    if (isFull !== wasFull) this.options.letClientWait(isFull);
  }

  /** Waits while too many answers run, or while the running ones use the balance up. */
  private async admit(request: Json): Promise<void> {
    while (!this.over) {
      const { changes } = this;
      const others = this.outstanding();
      if (others < outstandingMax && (await this.cover(request, others === 0))) return;
      if (changes !== this.changes) continue;
      if (others === 0) return this.options.onUncovered();
      await this.changed();
    }
  }

  /** Sets aside what an answer may cost before it is asked for. */
  private async cover(request: Json, isAlone: boolean): Promise<boolean> {
    const { funds, requested } = this.options;
    const tokens = requestedTokens(request, funds.meter.promptSize());
    // What is left of a balance is enough for one: its output is compared with the hold as it comes.
    const enough = isAlone ? [tokens, { ...tokens, completion: 1, parts: {} }] : [tokens];
    for (const one of enough) {
      if (!(await funds.holdFor(one))) continue;
      requested.add(request, one);
      return true;
    }
    return false;
  }

  private changed(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.requested.expectedMs());
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
