import { Server, type RequestListener, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { PlainConnection, type PlainOptions } from './plain-connection.ts';

export interface PlainServerOptions extends ServerOptions, Pick<PlainOptions, 'handle' | 'serves'> {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/**
 * Node's server, in front of which plain requests are read and answered with less work and memory: no parser of its own
 * for each connection, no streams. Everything else is Node's from the first byte on (docs/decisions/0030).
 */
export class PlainServer extends Server {
  private readonly plain = new Set<PlainConnection>();

  constructor(options: PlainServerOptions, answer: RequestListener) {
    super(options, answer);
    const accept = this.listeners('connection');
    this.removeAllListeners('connection');
    const shared: PlainOptions = {
      handle: options.handle,
      serves: options.serves,
      isOpen: () => this.listening,
      firstByteMs: options.headersTimeout,
      requestMs: options.requestTimeout,
      keepAliveMs: options.keepAliveTimeout,
      handOver: (socket, bytes) => {
        socket.unshift(bytes);
        for (const listener of accept) Reflect.apply(listener, this, [socket]);
        socket.resume();
      },
      onLeft: (connection) => this.plain.delete(connection),
    };
    this.on('connection', (socket: Socket) => this.plain.add(new PlainConnection(socket, shared)));
    this.on('listening', () => {
      const check = setInterval(() => this.checkTimes(), options.connectionsCheckingInterval);
      check.unref();
      this.once('close', () => clearInterval(check));
    });
  }

  override close(closed?: (error?: Error) => void): this {
    super.close(closed);
    for (const connection of this.plain) if (connection.isIdle()) connection.destroy();
    return this;
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const connection of this.plain) connection.destroy();
  }

  private checkTimes(): void {
    const now = performance.now();
    for (const connection of this.plain) connection.checkTime(now);
  }
}
