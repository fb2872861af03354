import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { HttpHandler, HttpRequest, HttpResponse } from './exchange.ts';
import { PlainConnection } from './plain-connection.ts';
import { PlainServer } from './plain-server.ts';

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

const headers = (body: string) => ['content-type', 'text/plain', 'content-length', String(Buffer.byteLength(body))];

const bodyOf = async (request: HttpRequest): Promise<string> => {
  const pieces: Buffer[] = [];
  request.on('data', (piece) => pieces.push(piece));
  await new Promise<void>((resolve) => request.once('end', resolve));
  return Buffer.concat(pieces).toString();
};

const echo: HttpHandler = (request, response) =>
  void bodyOf(request).then((body) => {
    response.writeHead(200, headers(body));
    response.end(body, 'utf8');
  });

interface Times {
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
}

/** A server, and how often Node's own part of it was asked. */
const start = async (handle: HttpHandler = echo, times: Times = {}) => {
  const counts = { node: 0 };
  const usual = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000 };
  const options = { ...usual, connectionsCheckingInterval: 20, ...times };
  const serves = (url: string) => url.startsWith('/v1');
  const server = new PlainServer({ ...options, serves, handle }, (request, response) => {
    counts.node += 1;
    if (serves(request.url ?? '')) return handle(request, response);
    response.end('by Node');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  return { server, counts, port: typeof address === 'object' && address !== null ? address.port : 0 };
};

const open = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  opened.defer(() => void socket.destroy());
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString()));
  await once(socket, 'connect');
  return {
    socket,
    text: () => text,
    /** Bodies that begin with `<` and end with `>`, in order. */
    bodies: () => [...text.matchAll(/<[^>]*>|by Node/g)].map(([body]) => body),
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
  };
};

const post = (body: string, more = ''): string =>
  `POST /v1/a HTTP/1.1\r\nhost: weir\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const other = 'GET /console HTTP/1.1\r\nhost: weir\r\n\r\n';

test('RELAY-01 plain requests are answered one after another, and Node reads none of them', async () => {
  const { port, counts } = await start();
  const { socket, bodies, text } = await open(port);
  for (const body of ['<one>', '<zwei ü>', '<>']) {
    const before = bodies().length;
    socket.write(post(body));
    await expect.poll(() => bodies().length).toBe(before + 1);
  }
  expect(bodies()).toEqual(['<one>', '<zwei ü>', '<>']);
  expect(text()).toMatch(
    /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\ncontent-length: 5\r\ndate: .* GMT\r\nconnection: keep-alive\r\nkeep-alive: timeout=65\r\n\r\n<one>/,
  );
  expect(counts.node).toBe(0);
});

test('RELAY-01 a body that comes later, in any pieces, belongs to its request', async () => {
  const { port, counts } = await start();
  const { socket, bodies } = await open(port);
  const whole = post('<a body>');
  const headEnd = whole.indexOf('<');
  for (const cut of [headEnd, headEnd + 1, whole.length - 1]) {
    const before = bodies().length;
    socket.write(whole.slice(0, cut));
    await sleep(5);
    socket.write(whole.slice(cut));
    await expect.poll(() => bodies().length).toBe(before + 1);
  }
  expect(bodies()).toEqual(Array.from({ length: 3 }, () => '<a body>'));
  expect(counts.node).toBe(0);
});

test('S1 RELAY-01 a request is the same wherever its bytes are cut', async () => {
  const { port } = await start();
  const whole = post('<a body>');
  const answers = Array.from({ length: whole.length - 1 }, async (_, index) => {
    const { socket, bodies } = await open(port);
    socket.setNoDelay(true);
    socket.write(whole.slice(0, index + 1));
    await sleep(20);
    socket.write(whole.slice(index + 1));
    await expect.poll(() => bodies().length, { timeout: 20_000 }).toBe(1);
    return bodies()[0];
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['<a body>']));
});

test('S1 RELAY-01 requests that are sent at once are answered in their order across the hand-over to Node', async () => {
  const { port, counts } = await start();
  const { socket, bodies } = await open(port);
  const sent = [post('<1>'), post('<2>'), post('<3>', 'x-odd: \xff\r\n'), post('<4>'), other, post('<5>')];
  socket.write(Buffer.from(sent.join(''), 'latin1'));
  await expect.poll(() => bodies().length).toBe(6);
  expect(bodies()).toEqual(['<1>', '<2>', '<3>', '<4>', 'by Node', '<5>']);
  // From the first odd one on.
  expect(counts.node).toBe(4);
});

test('S1 RELAY-01 a second request that hides in the body of the first is none', async () => {
  const { port, counts } = await start();
  const { socket, bodies, statuses } = await open(port);
  const hidden = 'GET /v1/hidden HTTP/1.1\r\nhost: weir\r\n\r\n';
  socket.write(post(`<${hidden}>`));
  await expect.poll(() => bodies().length).toBe(1);
  expect(bodies()).toEqual([`<${hidden}>`]);
  // Two lengths: Node refuses what is left to it.
  socket.write(post(hidden, 'content-length: 1\r\n'));
  await expect.poll(() => statuses().length).toBe(2);
  expect(statuses()).toEqual(['200', '400']);
  expect(counts.node).toBe(0);
});

test('S1 a client that sends a request too slowly gets 408, and a connection without a byte is closed', async () => {
  const { port } = await start(echo, { headersTimeout: 100, requestTimeout: 200 });
  const silent = await open(port);
  const slow = await open(port);
  slow.socket.write(post('<a body>').slice(0, -3));
  const half = await open(port);
  half.socket.write('POST /v1/a HT');
  await Promise.all([silent, slow, half].map(({ socket }) => once(socket, 'close')));
  expect([silent, slow, half].map(({ statuses }) => statuses())).toEqual([[], ['408'], ['408']]);
});

test('an idle connection is closed after a little more than the time that its client was told', async () => {
  const connections: PlainConnection[] = [];
  const server = createServer((socket: Socket) => {
    const times = { firstByteMs: 1000, requestMs: 1000, keepAliveMs: 65_000 };
    const none = { handOver: () => undefined, onLeft: () => undefined, serves: () => true, isOpen: () => true };
    connections.push(new PlainConnection(socket, { handle: echo, ...times, ...none }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  const address = server.address();
  const { socket, bodies } = await open(typeof address === 'object' && address !== null ? address.port : 0);
  socket.write(post('<a>'));
  await expect.poll(() => bodies().length).toBe(1);
  const [connection] = connections;
  await expect.poll(() => connection?.isIdle()).toBe(true);
  connection?.checkTime(performance.now() + 65_000);
  await sleep(50);
  expect(socket.destroyed).toBe(false);
  connection?.checkTime(performance.now() + 67_000);
  await once(socket, 'close');
});

/** A handler whose exchange the test answers. */
const held = () => {
  const exchanges: { request: HttpRequest; response: HttpResponse }[] = [];
  const handle: HttpHandler = (request, response) => void exchanges.push({ request, response });
  return { exchanges, handle };
};

test('RELAY-01 a client that leaves, or sends no more, ends its request and its response', async () => {
  for (const leave of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end()]) {
    const { exchanges, handle } = held();
    const { port } = await start(handle);
    const { socket } = await open(port);
    socket.write(post('<a body>').slice(0, -1));
    await expect.poll(() => exchanges.length).toBe(1);
    const closed: string[] = [];
    exchanges[0]?.request.on('close', () => closed.push('request'));
    exchanges[0]?.response.on('close', () => closed.push('response'));
    leave(socket);
    await expect.poll(() => closed).toEqual(['request', 'response']);
    expect(exchanges[0]?.response.writableFinished).toBe(false);
  }
});

test('an unread body is held back at its client, and is whole when it is read', async () => {
  const { exchanges, handle } = held();
  const { port } = await start(handle);
  const { socket } = await open(port);
  const body = `<${'x'.repeat(1_000_000)}>`;
  socket.write(post(body));
  await expect.poll(() => exchanges[0]?.request.socket.isPaused()).toBe(true);
  const { request } = exchanges[0] ?? {};
  expect(request?.complete).toBe(false);
  const read = request === undefined ? '' : await bodyOf(request);
  expect(read.length).toBe(body.length);
  expect(request?.complete).toBe(true);
});

test('RELAY-01 a body that came with its head can be taken at once, and no other one', async () => {
  const { exchanges, handle } = held();
  const { port } = await start(handle);
  const [whole, empty, late] = [await open(port), await open(port), await open(port)];
  whole.socket.write(post('<a body>'));
  await expect.poll(() => exchanges.length).toBe(1);
  empty.socket.write(post(''));
  await expect.poll(() => exchanges.length).toBe(2);
  late.socket.write(post('<a body>').slice(0, -3));
  await expect.poll(() => exchanges.length).toBe(3);
  const taken = exchanges.map(({ request }) => request.takeBody?.()?.toString());
  expect(taken).toEqual(['<a body>', '', undefined]);
  expect(exchanges.map(({ request }) => request.takeBody?.())).toEqual([null, null, null]);
  const [first, , third] = exchanges;
  const reading = third === undefined ? '' : bodyOf(third.request);
  late.socket.write('dy>');
  expect(await reading).toBe('<a body>');
  first?.response.writeHead(200, headers('<taken>'));
  first?.response.end('<taken>', 'utf8');
  await expect.poll(() => whole.bodies()).toEqual(['<taken>']);
  whole.socket.write(post('<next>'));
  await expect.poll(() => exchanges.length).toBe(4);
});

test('RELAY-10 a server that closes ends idle connections, and others behind their answer', async () => {
  const { exchanges, handle } = held();
  const { server, port } = await start((request, response) =>
    request.url === '/v1/a' ? echo(request, response) : handle(request, response),
  );
  const [idle, busy, fresh] = [await open(port), await open(port), await open(port)];
  idle.socket.write(post('<a>'));
  await expect.poll(() => idle.bodies().length).toBe(1);
  busy.socket.write(post('').replace('/v1/a', '/v1/b'));
  await expect.poll(() => exchanges.length).toBe(1);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await once(idle.socket, 'close');
  // A connection without a request yet may still bring one, which is its last.
  fresh.socket.write(post('<late>'));
  await expect.poll(() => fresh.bodies()).toEqual(['<late>']);
  const { response } = exchanges[0] ?? {};
  response?.writeHead(200, headers('<b>'));
  response?.end('<b>', 'utf8');
  await once(busy.socket, 'close');
  expect(busy.text()).toMatch(/\r\nconnection: close\r\n\r\n<b>$/);
  await closed;
});

test('S1 a header with a line end is never sent', async () => {
  /** Of each failure, whether a head counts as sent: then it could not be answered any more. */
  const failures: boolean[] = [];
  const { port } = await start((_, response) => {
    for (const value of ['a\r\nx: y', 'a\nb', 'a\0b', '水']) {
      try {
        response.writeHead(200, ['x-value', value, 'content-length', '0']);
      } catch {
        failures.push(response.headersSent);
      }
    }
    response.writeHead(200, headers('<sound>'));
    response.end('<sound>', 'utf8');
  });
  const { socket, text } = await open(port);
  socket.write(post(''));
  await expect.poll(text).toMatch(/<sound>$/);
  expect(failures).toEqual([false, false, false, false]);
  expect(text()).not.toContain('x-value');
});
