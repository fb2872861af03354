import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createUndiciUpstream } from '../../../test/clients/undici-upstream.ts';
import { parseObject } from '../../../test/parsing/json.ts';
import { createAddressGuard } from './address-guard.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import type { UpstreamCall } from './upstream-call.ts';

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const portOf = (server: { address(): AddressInfo | string | null }): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${portOf(server)}`;
};

const serve = async (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
  `http://${await listen(createServer(handler))}`;

/** A server below HTTP. */
const serveSocket = async (handler: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    handler(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}`;
};

interface Outcome {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  /** `end`, or how it failed. */
  result: string;
}

interface RunningCall {
  readonly call: UpstreamCall;
  readonly outcome: Outcome;
  readonly done: Promise<Outcome>;
}

const ask = (
  upstream: Upstream,
  origin: string,
  { path = '/v1/x', headers = [], body = 'hi' }: { path?: string; headers?: string[]; body?: string } = {},
): RunningCall => {
  const outcome: Outcome = { status: 0, headers: {}, body: '', result: '' };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const finish = (result: string) => {
    if (outcome.result !== '') throw new Error(`ended twice: ${outcome.result}, ${result}`);
    outcome.result = result;
    resolve(outcome);
  };
  const call = upstream.send(
    { origin, path, method: 'POST', headers, body: Buffer.from(body) },
    {
      head: (status, answered) => Object.assign(outcome, { status, headers: { ...answered } }),
      data: (chunk) => void (outcome.body += chunk.toString()),
      end: () => finish('end'),
      fail: (error) => finish(error.fault),
    },
  );
  return { call, outcome, done: promise };
};

const echo = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    response.end(
      JSON.stringify({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() }),
    ),
  );
};

/** The second one is not used by the product: it shows that the tests hold the interface, not the client behind it. */
const clients = [
  { client: 'own client', create: createUpstream, connections: 1 },
  // One call after another: undici opens a second connection before it uses the first one again.
  { client: 'undici', create: createUndiciUpstream, connections: 2 },
];

describe.each(clients)('upstream, $client', ({ create, connections: connectionsMax }) => {
  const upstreamWith = (
    limits: Partial<RelayLimits> = {},
    privateUpstreams: Parameters<typeof createAddressGuard>[0] = 'allow',
  ): Upstream => {
    const upstream = create({
      guard: createAddressGuard(privateUpstreams),
      limits: { ...relayLimits, ...limits },
    });
    ends.push(upstream.close);
    return upstream;
  };

  /** A whole call over loopback: what was sent over other connections before it has arrived by then. */
  const untilDelivered = async (): Promise<void> => {
    await ask(upstreamWith(), await serve(echo)).done;
  };

  test('RELAY-01 sends what it was given and nothing of its own but what HTTP needs', async () => {
    const origin = await serve(echo);
    const { status, body, result } = await ask(upstreamWith(), origin, {
      path: '/v1/a?b=c',
      headers: ['authorization', 'Bearer k'],
      body: 'body\u00e9',
    }).done;
    expect([status, result]).toEqual([200, 'end']);
    const { host } = new URL(origin);
    expect(JSON.parse(body)).toEqual({
      url: '/v1/a?b=c',
      body: 'body\u00e9',
      headers: {
        host,
        connection: 'keep-alive',
        'accept-encoding': 'identity',
        'content-length': '6',
        authorization: 'Bearer k',
      },
    });
  });

  test('uses a connection again, and as many at once as there are calls', async () => {
    const connections = new Set<unknown>();
    const origin = await serve((request, response) => {
      connections.add(request.socket);
      echo(request, response);
    });
    const upstream = upstreamWith();
    for (let i = 0; i < 5; i++) expect((await ask(upstream, origin).done).result).toBe('end');
    expect(connections.size).toBeLessThanOrEqual(connectionsMax);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => ask(upstream, origin, { body: `call ${i} ${'x'.repeat(i * 5000)}` }).done),
    );
    expect(outcomes.map(({ body }) => String(parseObject(body)['body']).slice(0, 6))).toEqual(
      Array.from({ length: 8 }, (_, i) => `call ${i}`),
    );
    expect(connections.size).toBeGreaterThanOrEqual(8);
    expect(connections.size).toBeLessThan(8 + connectionsMax);
  });

  test('a connection that its server closes while idle is not used again', async () => {
    const sockets: Socket[] = [];
    const origin = await serve((request, response) => {
      sockets.push(request.socket);
      echo(request, response);
    });
    const upstream = upstreamWith();
    await ask(upstream, origin).done;
    const [first] = sockets;
    first?.destroy();
    await untilDelivered();
    expect((await ask(upstream, origin).done).result).toBe('end');
    expect(sockets[1]).not.toBe(first);
  });

  test('S26 a second answer that comes before the next call ends its connection: that call gets its own', async () => {
    const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    for (const together of [true, false]) {
      const sockets: Socket[] = [];
      const origin = await serveSocket((socket) => {
        sockets.push(socket);
        const isFirst = sockets.length === 1;
        const more = isFirst && together ? answer('surplus') : '';
        socket.once('data', () => socket.write(answer(isFirst ? 'first' : 'next') + more));
      });
      const upstream = upstreamWith();
      expect((await ask(upstream, origin).done).body).toBe('first');
      const [first] = sockets;
      if (!together) first?.write(answer('surplus'));
      if (first?.destroyed === false) await once(first, 'close');
      expect((await ask(upstream, origin).done).body).toBe('next');
    }
  });

  test('an answer before the whole request was sent is taken, and its connection is not used again', async () => {
    let connections = 0;
    const origin = await serveSocket((socket) => {
      connections++;
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
      });
    });
    const upstream = upstreamWith();
    const outcome = await ask(upstream, origin, { body: 'x'.repeat(20_000_000) }).done;
    expect(outcome).toMatchObject({ status: 413, body: 'no', result: 'end' });
    expect((await ask(upstream, origin).done).status).toBe(413);
    expect(connections).toBe(2);
  });

  test('a redirect is an answer like any other and is not followed', async () => {
    let calls = 0;
    const origin = await serve((_, response) => {
      calls++;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await ask(upstreamWith(), origin).done).toMatchObject({ status: 302, result: 'end' });
    expect(calls).toBe(1);
  });

  test.each(['gzip, gzip', 'compress'])('refuses an answer compressed as %s', async (encoding) => {
    const origin = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('xx'));
    expect((await ask(upstreamWith(), origin).done).result).toBe('encoded');
  });

  test('R13 a closed port, an unknown host and a server without TLS are unreachable, each in its own words', async () => {
    const closed = createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const port = portOf(closed);
    closed.close();
    await once(closed, 'close');
    const plain = await serve(echo);
    const upstream = upstreamWith();
    for (const [origin, result] of [
      [`http://127.0.0.1:${port}`, 'refused'],
      ['http://no-such-host.invalid', 'unknown_host'],
      [plain.replace('http:', 'https:'), 'tls'],
    ] as const) {
      expect((await ask(upstream, origin).done).result, origin).toBe(result);
    }
  });

  test('an answer that breaks off is broken, wherever it breaks', async () => {
    const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n';
    const upstream = upstreamWith();
    for (let cut = 0; cut < whole.length; cut += 3) {
      for (const ending of ['end', 'resetAndDestroy'] as const) {
        const origin = await serveSocket((socket) => {
          socket.once('data', () =>
            socket.write(whole.slice(0, cut), () => void untilDelivered().then(() => socket[ending]())),
          );
          if (cut === 0) socket.once('data', () => socket[ending]());
        });
        expect((await ask(upstream, origin).done).result, `${ending} at ${cut}`).toBe('broken');
      }
    }
  });

  test('silence before the answer, within it, and an answer that never ends each run into their limit', async () => {
    const silent = await serveSocket(() => undefined);
    const stuck = await serve((_, response) => void response.writeHead(200).write('a'));
    const endless = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('a'), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await ask(upstreamWith({ firstByteMs: 50 }), silent).done).toMatchObject({ status: 0, result: 'timeout' });
    expect(await ask(upstreamWith({ idleMs: 50 }), stuck).done).toMatchObject({
      status: 200,
      body: 'a',
      result: 'timeout',
    });
    expect((await ask(upstreamWith({ totalMs: 100, idleMs: 60_000 }), endless).done).result).toBe('timeout');
  });

  test('RELAY-10 an aborted call closes its connection, at any phase', async () => {
    let open = 0;
    const origin = await serve((request, response) => {
      open++;
      request.socket.once('close', () => open--);
      response.writeHead(200);
      response.write('a');
    });
    const upstream = upstreamWith();
    const early = ask(upstream, origin);
    early.call.abort();
    expect((await early.done).result).toBe('aborted');
    const running = ask(upstream, origin);
    await expect.poll(() => running.outcome.body).not.toBe('');
    expect(open).toBeGreaterThan(0);
    running.call.abort();
    expect((await running.done).result).toBe('aborted');
    await expect.poll(() => open).toBe(0);
  });

  test('a paused call stops its sender, and a resumed one loses nothing', async () => {
    let written = 0;
    const total = 32 * 1024 * 1024;
    const origin = await serve((_, response) => {
      const block = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (written < total) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const silent = await serve((_, response) => void response.writeHead(200).write('a'));
    const upstream = upstreamWith({ idleMs: 3000 });
    const slow = ask(upstream, origin);
    await expect.poll(() => slow.outcome.body).not.toBe('');
    slow.call.pause();
    // The limit for silence ends a call that began later, and not the paused one.
    expect((await ask(upstream, silent).done).result).toBe('timeout');
    const before = written;
    await untilDelivered();
    expect(written).toBe(before);
    expect(written).toBeLessThan(total);
    slow.call.resume();
    const outcome = await slow.done;
    expect(outcome.result).toBe('end');
    expect(outcome.body.length).toBe(total);
  });

  test.each(['/a b', '/a\r\nx: y', 'a', '', '/\u00e9'])('refuses to send a request for %j', async (path) => {
    const origin = await serve(echo);
    expect((await ask(upstreamWith(), origin, { path }).done).result).toBe('broken');
  });

  test('refuses to send a header with a line break', async () => {
    const origin = await serve(echo);
    expect((await ask(upstreamWith(), origin, { headers: ['a', 'b\r\nc: d'] }).done).result).toBe('broken');
  });

  test('addresses that are not allowed are not connected to, named or literal', async () => {
    let connections = 0;
    const origin = await serveSocket(() => connections++);
    const { port } = new URL(origin);
    const denying = upstreamWith({}, 'deny');
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433']) {
      expect((await ask(denying, new URL(`http://${host}:${port}`).origin).done).result, host).toBe('blocked');
    }
    const allowing = upstreamWith();
    for (const host of [
      '169.254.169.254',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '100.100.100.200',
    ]) {
      expect((await ask(allowing, new URL(`http://${host}:${port}`).origin).done).result, host).toBe('blocked');
    }
    expect(connections).toBe(0);
  });
});
