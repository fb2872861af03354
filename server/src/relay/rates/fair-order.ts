/**
 * The order in which users are served at one channel: start-time fair queueing. Each call that is served moves its user's
 * next start by the inverse of its weight, so that users who wait together are served by turns, as often as they weigh.
 * Who comes anew starts where the others are: neither before nor behind them, whatever they had before.
 */
export class FairOrder {
  /** The start of the call that was served last. */
  private present = 0;
  /** Where the next call of a user starts, of users that are ahead of the present. */
  private readonly starts = new Map<number, number>();

  /** Users with lower starts are served first. */
  startOf(userId: number): number {
    return Math.max(this.present, this.starts.get(userId) ?? 0);
  }

  /** Counts a call. `weight` is above 0. */
  served(userId: number, weight: number): void {
    const start = this.startOf(userId);
    this.present = start;
    this.starts.set(userId, start + 1 / weight);
    for (const [other, next] of this.starts) if (next <= start) this.starts.delete(other);
  }
}

/** An order for each channel that calls wait for. */
export class FairOrders {
  private readonly orders = new Map<number, FairOrder>();

  of(channelId: number): FairOrder {
    const order = this.orders.get(channelId) ?? new FairOrder();
    this.orders.set(channelId, order);
    return order;
  }

  clear(): void {
    this.orders.clear();
  }
}
