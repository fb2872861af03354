import type { WebSocket } from 'ws';

/** A peer that answers no ping for this long is disconnected. */
const pingMs = 30_000;

/** Pings sockets, and ends those whose peer does not answer. */
export class Heartbeat {
  private readonly silent = new Set<WebSocket>();
  private readonly timer: NodeJS.Timeout;

  constructor(sockets: readonly WebSocket[]) {
    this.timer = setInterval(() => {
      for (const socket of sockets) this.ping(socket);
    }, pingMs);
    for (const socket of sockets) socket.on('pong', () => this.onSign(socket));
  }

  /** The peer sent something. */
  onSign(socket: WebSocket): void {
    this.silent.delete(socket);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private ping(socket: WebSocket): void {
    // A paused socket reads no answer.
    if (socket.isPaused) return;
    if (this.silent.has(socket)) socket.terminate();
    else socket.ping();
    this.silent.add(socket);
  }
}
