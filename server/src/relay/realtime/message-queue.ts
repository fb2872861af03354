export interface MessageQueueOptions<Message> {
  handle(message: Message): Promise<void>;
  /** No message is left. */
  onEmpty(): void;
  /** A message could not be handled. */
  onError(error: unknown): void;
}

/** Handles messages one after another. */
export class MessageQueue<Message> {
  private readonly waiting: Message[] = [];
  private handling = false;
  private readonly options: MessageQueueOptions<Message>;

  constructor(options: MessageQueueOptions<Message>) {
    this.options = options;
  }

  /** A message is being handled. */
  isHandling(): boolean {
    return this.handling;
  }

  /** No message waits behind the one that is being handled. */
  isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  push(message: Message): void {
    this.waiting.push(message);
    if (this.handling) return;
    this.handling = true;
    this.handleAll().then(
      () => {
        this.handling = false;
        this.options.onEmpty();
      },
      (error: unknown) => this.options.onError(error),
    );
  }

  private async handleAll(): Promise<void> {
    for (let message = this.waiting.shift(); message !== undefined; message = this.waiting.shift())
      await this.options.handle(message);
  }
}
