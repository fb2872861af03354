import type { Client } from '../client/client.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** A call that waits for a channel with room. */
export interface QueuedCall {
  readonly userId: number;
  readonly group: string;
  readonly model: string;
  /** Calls with the same one can go to the same channels: where one finds no room, none does. */
  readonly line: string;
  /** The IDs of the channels that it can go to. */
  readonly channels: ReadonlySet<number>;
  /** Takes room at a channel; null: there is none. Throws the refusal of a call that no channel serves any more. */
  enter(): RoutedChannel | null;
  readonly client: Pick<Client, 'onGone'>;
}

/** A call in the queue. */
export interface WaitingCall extends QueuedCall {
  /** Grows from call to call. */
  readonly place: number;
  readonly resolve: (channel: RoutedChannel) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls in line, by user. */
export class WaitingCalls {
  size = 0;
  private readonly users = new Map<number, WaitingCall[]>();

  add(call: WaitingCall): void {
    const calls = this.users.get(call.userId);
    if (calls === undefined) this.users.set(call.userId, [call]);
    else calls.push(call);
    this.size += 1;
  }

  remove(call: WaitingCall): boolean {
    const calls = this.users.get(call.userId);
    const at = calls?.indexOf(call) ?? -1;
    if (calls === undefined || at < 0) return false;
    calls.splice(at, 1);
    if (calls.length === 0) this.users.delete(call.userId);
    this.size -= 1;
    return true;
  }

  /** The last call of the user who has most: it gives way to the user's next one. Undefined: the user has as many. */
  lastOfMost(userId: number): WaitingCall | undefined {
    let most: readonly WaitingCall[] = [];
    for (const calls of this.users.values()) if (calls.length > most.length) most = calls;
    const own = this.users.get(userId)?.length ?? 0;
    return most.length > own + 1 ? most.at(-1) : undefined;
  }

  /** The first call of each user that can go to the channel and is not in a blocked line. */
  *heads(channelId: number, blocked: ReadonlySet<string>): Generator<WaitingCall> {
    for (const calls of this.users.values()) {
      const head = calls.find(({ channels, line }) => channels.has(channelId) && !blocked.has(line));
      if (head !== undefined) yield head;
    }
  }

  all(): readonly WaitingCall[] {
    return [...this.users.values()].flat();
  }

  channels(): Set<number> {
    const ids = new Set<number>();
    for (const { channels } of this.all()) for (const id of channels) ids.add(id);
    return ids;
  }
}
