import type { RelayedCall } from '../call/relayed-call.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Message, OpenSocket } from './message.ts';
import { RealtimePipe } from './realtime-pipe.ts';
import type { SocketEnd } from './session-end.ts';

export interface SessionSocketsOptions {
  readonly client: OpenSocket;
  readonly upstream: OpenSocket;
  readonly call: Pick<RelayedCall, 'context' | 'memory'>;
  fromClient(message: Message): void;
  fromUpstream(message: Message): void;
  onClosed(end: SocketEnd): void;
  /** There is no memory for what arrives. */
  onRefused(): void;
}

/** The two sockets of a session. Each is read only as fast as the other one takes its messages. */
export class SessionSockets {
  private readonly toClient: RealtimePipe;
  private readonly toUpstream: RealtimePipe;
  private readonly heartbeat: Heartbeat;
  private readonly options: SessionSocketsOptions;
  private stopped = false;
  /** The client reads too slowly. */
  private clientIsFull = false;
  private upstreamWaits = false;
  /** The upstream reads too slowly. */
  private upstreamIsFull = false;
  private clientWaits = false;

  constructor(options: SessionSocketsOptions) {
    const { client, upstream, onRefused } = options;
    const { context, memory } = options.call;
    const { bufferMax, stalledClientMs: stalledMs } = context.limits;
    const shared = { bufferMax, stalledMs, onRefused };
    this.options = options;
    const onClientFull = (full: boolean) => {
      this.clientIsFull = full;
      this.regulate();
    };
    const toClient = { from: upstream, to: client.socket, memory: memory.answer, onFull: onClientFull };
    this.toClient = new RealtimePipe({ ...shared, ...toClient });
    const onUpstreamFull = (full: boolean) => {
      this.upstreamIsFull = full;
      this.regulate();
    };
    const toUpstream = { from: client, to: upstream.socket, memory: memory.request, onFull: onUpstreamFull };
    this.toUpstream = new RealtimePipe({ ...shared, ...toUpstream });
    this.heartbeat = new Heartbeat([client.socket, upstream.socket]);
    this.listen('client', this.toUpstream, options.fromClient);
    this.listen('upstream', this.toClient, options.fromUpstream);
  }

  sendToClient(message: Message): void {
    this.toClient.send(message);
  }

  sendToUpstream(message: Message): void {
    this.toUpstream.send(message);
  }

  /** Nothing is read from the upstream until this is decided. */
  async upstreamWaitsFor<Decision>(deciding: Promise<Decision>): Promise<Decision> {
    this.upstreamWaits = true;
    this.regulate();
    const decision = await deciding;
    this.upstreamWaits = false;
    this.regulate();
    return decision;
  }

  /** @param waits nothing is read from the client until this is false again */
  letClientWait(waits: boolean): void {
    this.clientWaits = waits;
    this.regulate();
  }

  /** No message is passed on any more. The sockets stay open. */
  stop(): void {
    this.stopped = true;
    this.heartbeat.stop();
    this.toClient.close();
    this.toUpstream.close();
  }

  private listen(by: SocketEnd['by'], pipe: RealtimePipe, handle: (message: Message) => void): void {
    const { socket } = this.options[by];
    socket.on('message', (data, binary) => {
      this.heartbeat.onSign(socket);
      if (this.stopped) return;
      const message = { data, binary };
      pipe.receive(message);
      handle(message);
    });
    socket.on('close', (code, reason) => this.options.onClosed({ by, code, reason: reason.toString() }));
    // A close event follows.
    socket.on('error', () => undefined);
    socket.resume();
  }

  private regulate(): void {
    const { socket: client } = this.options.client;
    const { socket: upstream } = this.options.upstream;
    if (this.stopped) return;
    if (this.upstreamIsFull || this.clientWaits) client.pause();
    else client.resume();
    if (this.clientIsFull || this.upstreamWaits) upstream.pause();
    else upstream.resume();
  }
}
