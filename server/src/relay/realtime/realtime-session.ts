import type { RawData, WebSocket } from 'ws';
import { isObject, type Json, parseJson } from '../../conversation/json.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import type { AttemptBilling, Delivery } from '../call/settlement.ts';
import { messageBytes } from '../upstream/open-socket.ts';
import { Heartbeat } from './heartbeat.ts';
import { MessageQueue } from './message-queue.ts';
import { RealtimePipe } from './realtime-pipe.ts';
import { SessionBudget } from './session-budget.ts';
import { closeWith, reportEnd, type SessionEnd } from './session-end.ts';

export interface SessionDeps {
  readonly call: RelayedCall;
  readonly billing: AttemptBilling;
  /** Both are open, and paused. */
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  /** Rejects when the token may not be used any longer. */
  checkAccess(): Promise<unknown>;
}

interface Message {
  readonly data: RawData;
  readonly binary: boolean;
}

/** Vendors end sessions by themselves after an hour. */
const sessionMs = 65 * 60_000;

const read = ({ data, binary }: Message): Json => {
  const parsed = binary ? null : parseJson(messageBytes(data).toString());
  return isObject(parsed) ? parsed : {};
};

/**
 * One session between a client and an upstream. Messages are forwarded as they are, the hold grows with what they cost,
 * and the session is charged before the client gets the reason of its end.
 */
export class RealtimeSession {
  /** Resolves when the session is settled. */
  readonly ended: Promise<void>;
  private readonly settled = Promise.withResolvers<void>();
  private readonly deps: SessionDeps;
  private readonly budget: SessionBudget;
  private readonly toClient: RealtimePipe;
  private readonly toUpstream: RealtimePipe;
  private readonly heartbeat: Heartbeat;
  private readonly timer: NodeJS.Timeout;
  private readonly queue = new MessageQueue<Message>({
    handle: (message) => this.fromUpstream(message),
    onEmpty: () => this.onEmpty(),
    onError: (error) => this.end({ by: 'fault', error }),
  });
  private over = false;
  private stopping = false;
  /** The client reads too slowly. */
  private clientIsFull = false;
  /** A message waits for the extension of the hold. */
  private covering = false;
  /** The upstream closed while its last messages were handled. */
  private closedBy: SessionEnd | null = null;

  constructor(deps: SessionDeps) {
    const { client, upstream, call, billing } = deps;
    const { bufferMax, stalledClientMs: stalledMs } = call.context.limits;
    this.deps = deps;
    this.ended = this.settled.promise;
    this.budget = new SessionBudget(call, billing);
    const onClientFull = (full: boolean) => {
      this.clientIsFull = full;
      this.regulate();
    };
    this.toClient = new RealtimePipe({ to: client, bufferMax, stalledMs, onFull: onClientFull });
    const onUpstreamFull = (full: boolean) => (full ? client.pause() : client.resume());
    this.toUpstream = new RealtimePipe({ to: upstream, bufferMax, stalledMs, onFull: onUpstreamFull });
    this.heartbeat = new Heartbeat([client, upstream]);
    this.timer = setTimeout(() => this.end({ by: 'time' }), sessionMs);
    this.listen(client, 'client', (message) => {
      this.budget.meter.fromClient(read(message));
      this.toUpstream.send(message.data, message.binary);
    });
    this.listen(upstream, 'upstream', (message) => this.queue.push(message));
  }

  /** Ends the session as soon as no answer is running. */
  stop(): void {
    this.stopping = true;
    if (!this.budget.meter.isAnswering() && this.queue.isEmpty()) this.end({ by: 'stop' });
  }

  /** Ends the session for a reason; only the first one counts. */
  end(end: SessionEnd): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.heartbeat.stop();
    this.toClient.close();
    this.toUpstream.close();
    this.finish(end).then(this.settled.resolve, this.settled.reject);
  }

  private listen(socket: WebSocket, by: 'client' | 'upstream', handle: (message: Message) => void): void {
    socket.on('message', (data, binary) => {
      this.heartbeat.onSign(socket);
      if (!this.over) handle({ data, binary });
    });
    socket.on('close', (code, reason) => this.onClosed({ by, code, reason: reason.toString() }));
    // A close event follows.
    socket.on('error', () => undefined);
    socket.resume();
  }

  /** Messages that the upstream sent before it closed are still handled. */
  private onClosed(end: SessionEnd & { readonly by: 'client' | 'upstream' }): void {
    if (end.by === 'client' || !this.queue.isHandling()) this.end(end);
    else this.closedBy = end;
  }

  private onEmpty(): void {
    if (this.closedBy !== null) this.end(this.closedBy);
    else if (this.stopping && !this.budget.meter.isAnswering()) this.end({ by: 'stop' });
  }

  private async fromUpstream(message: Message): Promise<void> {
    if (this.over) return;
    const event = read(message);
    this.budget.meter.fromUpstream(event);
    if (event['type'] === 'response.created' && !(await this.isAllowed())) return this.end({ by: 'access' });
    const isDone = event['type'] === 'response.done';
    const isCovered = await this.isCovered(isDone);
    // The last event of an answer has no output of its own.
    if (isCovered || isDone) this.toClient.send(message.data, message.binary);
    if (!isCovered) this.end({ by: 'balance' });
  }

  private isAllowed(): Promise<boolean> {
    return this.deps.checkAccess().then(
      () => true,
      () => false,
    );
  }

  private async isCovered(isDone: boolean): Promise<boolean> {
    const deciding = this.budget.cover(isDone);
    if (deciding === null) return true;
    this.covering = true;
    this.regulate();
    const covered = await deciding;
    this.covering = false;
    this.regulate();
    return covered;
  }

  private regulate(): void {
    const { upstream } = this.deps;
    if (this.over) return;
    if (this.clientIsFull || this.covering) upstream.pause();
    else upstream.resume();
  }

  private async finish(end: SessionEnd): Promise<void> {
    const { client, upstream, call } = this.deps;
    if (end.by === 'client') closeWith(upstream, end.code, end.reason);
    else closeWith(upstream, 1000, '');
    try {
      await this.budget.settle(this.cutOf(end));
    } finally {
      reportEnd(client, call.requestId, end);
    }
    if (end.by === 'fault') throw end.error;
  }

  private cutOf({ by }: SessionEnd): Delivery['cut'] {
    if (!this.budget.meter.isAnswering()) return null;
    if (by === 'client') return 'client_gone';
    if (by === 'balance') return 'balance';
    return by === 'upstream' ? 'truncated' : 'failed';
  }
}
