/**
 * Passes bytes from socket to socket without reading them: `node bare-sockets-process.ts PORT UPSTREAM_PORT`. Each connection
 * of a client has one to the upstream.
 */
import { connect, createServer } from 'node:net';

const [port = 0, upstreamPort = 0] = process.argv.slice(2).map(Number);

createServer({ noDelay: true }, (client) => {
  const upstream = connect({ host: '127.0.0.1', port: upstreamPort, noDelay: true });
  client.on('data', (bytes) => upstream.write(bytes));
  upstream.on('data', (bytes) => client.write(bytes));
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}).listen(port, '127.0.0.1', () => console.log('ready'));
