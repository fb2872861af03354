import { RelayError } from '../client/relay-error.ts';
import { ClientGoneError } from '../client/request-body.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { type FairOrder, FairOrders } from './fair-order.ts';
import { type QueuedCall, type WaitingCall, WaitingCalls } from './waiting-calls.ts';

/** What the operator set. */
export interface QueueSettings {
  /** 0: no call waits. */
  readonly waitMs: number;
  /** Calls that wait on a node at most. */
  readonly lengthMax: number;
  /** How often a user of the group is served for each time that one of weight 1 is. */
  weightOf(group: string): number;
}

/** How often room is looked for that no call left: a rule was changed, a pause has ended, a minute's amount came back. */
const lookMs = 200;

/** Whose turn it is at a channel: the lowest start, and of equals the one who waits longest. */
const nextOf = (heads: Iterable<WaitingCall>, order: FairOrder): WaitingCall | undefined => {
  let next: WaitingCall | undefined;
  let first = Infinity;
  for (const head of heads) {
    const start = order.startOf(head.userId);
    if (start > first || (start === first && next !== undefined && head.place > next.place)) continue;
    next = head;
    first = start;
  }
  return next;
};

/** The queue of one node for calls whose channels have all of their calls running. */
export class CallQueue {
  private readonly calls = new WaitingCalls();
  private readonly orders = new FairOrders();
  private readonly left = new Set<number>();
  private readonly settings: () => QueueSettings;
  private looking: NodeJS.Timeout | null = null;
  private places = 0;

  constructor(settings: () => QueueSettings) {
    this.settings = settings;
  }

  /** Calls that wait now. */
  waiting(): number {
    return this.calls.size;
  }

  /**
   * Resolves to the channel whose room the call has taken, in its user's turn. Rejects with the refusal of a call that
   * waited too long or does not fit, and with `ClientGoneError`.
   */
  wait(call: QueuedCall): Promise<RoutedChannel> {
    return new Promise((resolve, reject) => {
      const { lengthMax, waitMs } = this.settings();
      this.makeRoom(call, lengthMax);
      const timeout = () => new RelayError('queue_timeout', { model: call.model, seconds: waitMs / 1000 });
      const timer = setTimeout(() => this.refuse(waiting, timeout()), waitMs);
      this.places += 1;
      const waiting: WaitingCall = { ...call, place: this.places, resolve, reject, timer };
      this.calls.add(waiting);
      this.looking ??= setInterval(() => this.serve(this.calls.channels()), lookMs);
      call.client.onGone({ abort: () => this.refuse(waiting, new ClientGoneError()) });
    });
  }

  /** A call at the channel has ended. Its room is given away after this turn: a retry with another key comes first. */
  freed(channelId: number): void {
    if (this.calls.size === 0) return;
    if (this.left.size === 0) queueMicrotask(() => this.serve([...this.left]));
    this.left.add(channelId);
  }

  /** Refuses all that wait: this node ends. */
  close(): void {
    for (const call of this.calls.all()) this.refuse(call, new RelayError('stopping'));
  }

  private serve(channelIds: Iterable<number>): void {
    this.left.clear();
    const blocked = new Set<string>();
    for (const id of channelIds) {
      for (;;) {
        const next = nextOf(this.calls.heads(id, blocked), this.orders.of(id));
        if (next === undefined) break;
        if (!this.offer(next)) blocked.add(next.line);
      }
    }
  }

  /** Offers room to a call; false: its line finds none. */
  private offer(call: WaitingCall): boolean {
    try {
      const channel = call.enter();
      if (channel === null) return false;
      this.orders.of(channel.id).served(call.userId, this.settings().weightOf(call.group));
      this.remove(call);
      call.resolve(channel);
    } catch (error) {
      this.refuse(call, error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  /** Makes room in a full queue, or refuses the call. */
  private makeRoom({ userId, model }: QueuedCall, lengthMax: number): void {
    if (this.calls.size < lengthMax) return;
    const full = () => new RelayError('queue_full', { model, max: lengthMax });
    const last = this.calls.lastOfMost(userId);
    if (last === undefined) throw full();
    this.refuse(last, full());
  }

  private refuse(call: WaitingCall, error: Error): void {
    if (this.remove(call)) call.reject(error);
  }

  private remove(call: WaitingCall): boolean {
    clearTimeout(call.timer);
    const removed = this.calls.remove(call);
    if (this.calls.size === 0) {
      // With none left to wait, there is no order to keep.
      this.orders.clear();
      if (this.looking !== null) clearInterval(this.looking);
      this.looking = null;
    }
    return removed;
  }
}
