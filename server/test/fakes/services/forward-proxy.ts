import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A forward proxy that connects its clients to any host, and keeps the hosts that they named. */
export interface ForwardProxyServer {
  readonly port: number;
  /** With the account that it asks for. */
  readonly url: string;
  /** The targets of all requests with the right account, as `host:port`. */
  connected(): readonly string[];
  /** How many requests came without the right account. */
  refused(): number;
  close(): Promise<void>;
}

export const proxyAccount = { name: 'weir', password: 'p@ss word' } as const;

/** Starts the proxy. `names` resolves hosts that only its own network knows. */
export const startForwardProxy = async (names: Readonly<Record<string, string>> = {}): Promise<ForwardProxyServer> => {
  const { name, password } = proxyAccount;
  const expected = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const connected: string[] = [];
  const sockets = new Set<Socket>();
  let refused = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    if (request.headers['proxy-authorization'] !== expected) {
      refused += 1;
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n',
      );
      return;
    }
    const target = request.url ?? '';
    connected.push(target);
    const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(target) ?? [];
    const upstream = keep(connect({ host: names[host] ?? host, port: Number(port) }));
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  return {
    port,
    url: `http://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    connected: () => connected,
    refused: () => refused,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
