import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback that can simulate network failures. */
export interface FaultProxy {
  readonly port: number;
  /** Cuts every connection and refuses new ones until `allow`. */
  refuse(): void;
  /** Passes nothing on and ends nothing, as a device that forgot the connections; new ones too, until `allow`. */
  freeze(): void;
  allow(): void;
  /** The next `times` messages that contain `text` reach the server, but their answers are dropped. */
  swallowAnswerTo(text: string, times: number): void;
  /**
   * The server fails over: connections from now on, and no earlier ones, reach the database `to` in place of `from`, which has
   * a name of the same length.
   */
  failOver(from: string, to: string): void;
  /** How many answers were dropped. */
  readonly swallowed: number;
  close(): Promise<void>;
}

export const startFaultProxy = async (target: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultProxy> => {
  const sockets = new Set<Socket>();
  let refusing = false;
  let frozen = false;
  let swallow: { text: string; times: number } | undefined;
  let swallowed = 0;
  let renamed: { readonly from: string; readonly to: string } | undefined;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  /** The database is named in the first message alone. */
  const rename = (bytes: Buffer): Buffer =>
    renamed !== undefined && bytes.includes(renamed.from)
      ? Buffer.from(bytes.toString('latin1').replace(renamed.from, renamed.to), 'latin1')
      : bytes;
  const server = createServer((client) => {
    track(client);
    if (refusing) {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    track(upstream);
    client.on('data', (received) => {
      if (frozen) return;
      const bytes = rename(received);
      if (swallow !== undefined && swallow.times > 0 && bytes.includes(swallow.text)) {
        swallow.times -= 1;
        swallowed += 1;
        upstream.removeAllListeners('data');
        upstream.on('data', () => client.destroy());
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!frozen) client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    refuse: () => {
      refusing = true;
      cut();
    },
    freeze: () => {
      frozen = true;
    },
    allow: () => {
      refusing = false;
      frozen = false;
    },
    swallowAnswerTo: (text, times) => {
      swallow = { text, times };
    },
    failOver: (from, to) => {
      renamed = { from, to };
    },
    get swallowed() {
      return swallowed;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
