import type { RawData, WebSocket } from 'ws';
import { Heartbeat } from './heartbeat.ts';
import { RealtimePipe } from './realtime-pipe.ts';
import type { SocketEnd } from './session-end.ts';

export interface Message {
  readonly data: RawData;
  readonly binary: boolean;
}

export interface SessionSocketsOptions {
  /** Both are open, and paused. */
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  /** Bytes that may wait to be sent on one of them. */
  readonly bufferMax: number;
  readonly stalledMs: number;
  fromClient(message: Message): void;
  fromUpstream(message: Message): void;
  onClosed(end: SocketEnd): void;
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
    const { client, upstream, bufferMax, stalledMs } = options;
    this.options = options;
    const onClientFull = (full: boolean) => {
      this.clientIsFull = full;
      this.regulate();
    };
    this.toClient = new RealtimePipe({ to: client, bufferMax, stalledMs, onFull: onClientFull });
    const onUpstreamFull = (full: boolean) => {
      this.upstreamIsFull = full;
      this.regulate();
    };
    this.toUpstream = new RealtimePipe({ to: upstream, bufferMax, stalledMs, onFull: onUpstreamFull });
    this.heartbeat = new Heartbeat([client, upstream]);
    this.listen(client, 'client', options.fromClient);
    this.listen(upstream, 'upstream', options.fromUpstream);
  }

  sendToClient({ data, binary }: Message): void {
    this.toClient.send(data, binary);
  }

  sendToUpstream({ data, binary }: Message): void {
    this.toUpstream.send(data, binary);
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

  private listen(socket: WebSocket, by: SocketEnd['by'], handle: (message: Message) => void): void {
    socket.on('message', (data, binary) => {
      this.heartbeat.onSign(socket);
      if (!this.stopped) handle({ data, binary });
    });
    socket.on('close', (code, reason) => this.options.onClosed({ by, code, reason: reason.toString() }));
    // A close event follows.
    socket.on('error', () => undefined);
    socket.resume();
  }

  private regulate(): void {
    const { client, upstream } = this.options;
    if (this.stopped) return;
    if (this.upstreamIsFull || this.clientWaits) client.pause();
    else client.resume();
    if (this.clientIsFull || this.upstreamWaits) upstream.pause();
    else upstream.resume();
  }
}
