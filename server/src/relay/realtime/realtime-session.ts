import { isObject, type Json, parseJson } from '../../conversation/json.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import type { AttemptBilling, Delivery } from '../call/settlement.ts';
import { messageBytes } from '../upstream/open-socket.ts';
import { ClientMessages } from './client-messages.ts';
import type { Message, OpenSocket } from './message.ts';
import { MessageQueue } from './message-queue.ts';
import { RequestedAnswers } from './requested-answers.ts';
import { SessionFunds } from './session-funds.ts';
import { closeWith, reportEnd, type SessionEnd, type SocketEnd } from './session-end.ts';
import { SessionSockets } from './session-sockets.ts';

export interface SessionDeps {
  readonly call: RelayedCall;
  readonly billing: AttemptBilling;
  readonly client: OpenSocket;
  readonly upstream: OpenSocket;
}

/** Vendors end sessions by themselves after an hour. */
const sessionMs = 65 * 60_000;

const read = ({ data, binary }: Message): Json => {
  const parsed = binary ? null : parseJson(messageBytes(data).toString());
  return isObject(parsed) ? parsed : {};
};

const isAllowed = ({ call }: SessionDeps): Promise<boolean> =>
  call.checkAccess().then(
    () => true,
    () => false,
  );

/** How the end of a session cut an answer that was running. */
const cutOf = ({ by }: SessionEnd): Delivery['cut'] => {
  if (by === 'client') return 'client_gone';
  if (by === 'balance') return 'balance';
  return by === 'upstream' ? 'truncated' : 'failed';
};

/**
 * One session between a client and an upstream. Messages are forwarded as they are, the hold grows with what they cost,
 * and the session is charged before the client gets the reason of its end.
 */
export class RealtimeSession {
  private readonly settled = Promise.withResolvers<void>();
  /** Resolves when the session is settled. */
  readonly ended = this.settled.promise;
  private readonly deps: SessionDeps;
  private readonly funds: SessionFunds;
  private readonly sockets: SessionSockets;
  private readonly timer: NodeJS.Timeout;
  private readonly fromClient: ClientMessages;
  private readonly queue = new MessageQueue<Message>({
    handle: (message) => this.fromUpstream(message),
    onEmpty: () => this.onEmpty(),
    onError: (error) => this.end({ by: 'fault', error }),
  });
  private over = false;
  private stopping = false;
  /** The upstream closed while its last messages were handled. */
  private closedBy: SessionEnd | null = null;

  constructor(deps: SessionDeps) {
    const { call, billing } = deps;
    this.deps = deps;
    const requested = new RequestedAnswers();
    this.funds = new SessionFunds(call, billing, requested);
    this.fromClient = new ClientMessages({
      funds: this.funds,
      requested,
      read,
      forward: (message) => this.sockets.sendToUpstream(message),
      letClientWait: (waits) => this.sockets.letClientWait(waits),
      onUncovered: () => this.end({ by: 'balance' }),
      onError: (error) => this.end({ by: 'fault', error }),
    });
    this.timer = setTimeout(() => this.end({ by: 'time' }), sessionMs);
    this.sockets = new SessionSockets({
      ...deps,
      fromClient: (message) => this.fromClient.push(message),
      fromUpstream: (message) => this.queue.push(message),
      onClosed: (end) => this.onClosed(end),
      onRefused: () => this.end({ by: 'memory' }),
    });
  }

  /** Ends the session as soon as no answer is running. */
  stop(): void {
    this.stopping = true;
    if (this.fromClient.outstanding() === 0 && this.queue.isEmpty()) this.end({ by: 'stop' });
  }

  /** Ends the session for a reason; only the first one counts. */
  end(end: SessionEnd): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.sockets.stop();
    this.fromClient.end();
    this.finish(end).then(this.settled.resolve, this.settled.reject);
  }

  /** Messages that the upstream sent before it closed are still handled. */
  private onClosed(end: SocketEnd): void {
    if (end.by === 'client' || !this.queue.isHandling()) this.end(end);
    else this.closedBy = end;
  }

  private onEmpty(): void {
    if (this.closedBy !== null) this.end(this.closedBy);
    else if (this.stopping && this.fromClient.outstanding() === 0) this.end({ by: 'stop' });
  }

  private async fromUpstream(message: Message): Promise<void> {
    if (this.over) return;
    const event = read(message);
    this.funds.meter.fromUpstream(event);
    this.fromClient.onUpstream(event);
    if (event['type'] === 'response.created' && !(await isAllowed(this.deps))) return this.end({ by: 'access' });
    const isDone = event['type'] === 'response.done';
    const deciding = this.funds.cover(isDone);
    const isCovered = deciding === null || (await this.sockets.upstreamWaitsFor(deciding));
    // The last event of an answer has no output of its own.
    if (isCovered || isDone) this.sockets.sendToClient(message);
    if (!isCovered) this.end({ by: 'balance' });
  }

  private async finish(end: SessionEnd): Promise<void> {
    const { client, upstream, call } = this.deps;
    if (end.by === 'client') closeWith(upstream.socket, end.code, end.reason);
    else closeWith(upstream.socket, 1000, '');
    try {
      await this.funds.settle(this.funds.meter.answering() > 0 ? cutOf(end) : null);
    } finally {
      reportEnd(client.socket, call.requestId, end);
    }
    if (end.by === 'fault') throw end.error;
  }
}
