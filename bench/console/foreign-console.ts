import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const passOn = (gateway: string, from: IncomingMessage, to: ServerResponse): void => {
  const { hostname, port } = new URL(gateway);
  const { url = '/', method, headers } = from;
  // The gateway accepts calls from pages of its own origin only.
  const own = { ...headers, host: `${hostname}:${port}`, ...(headers.origin !== undefined && { origin: gateway }) };
  const call = request({ hostname, port, path: url, method, headers: own }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  call.on('error', () => to.writeHead(502).end());
  from.pipe(call);
};

const sendFile = (folder: string, pathname: string, to: ServerResponse): void => {
  const requested = join(folder, pathname);
  const isFile = requested.startsWith(folder) && existsSync(requested) && statSync(requested).isFile();
  const file = isFile ? requested : join(folder, 'index.html');
  const kind = kinds[extname(file)];
  const head = { 'content-type': kind ?? 'application/octet-stream' };
  const content = readFileSync(file);
  if (kind === undefined) to.writeHead(200, head).end(content);
  else to.writeHead(200, { ...head, 'content-encoding': 'gzip' }).end(gzipSync(content));
};

/** Serves the built files of another console on loopback, with gzip, and passes its calls to the gateway. */
export const serveForeignConsole = async (folder: string, gateway: string) => {
  const server = createServer((from, to) => {
    const { pathname } = new URL(from.url ?? '/', 'http://localhost');
    if (/^\/(?:api|v1|dashboard)\//.test(pathname)) passOn(gateway, from, to);
    else sendFile(folder, pathname, to);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
};
