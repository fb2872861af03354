import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createAddressGuard } from './address-guard.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type { UpstreamError } from './upstream-error.ts';
import { createUpstream } from './upstream.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type Serve = (socket: WebSocket, path: string, headers: IncomingHttpHeaders) => void;

const serve = async (handle: Serve, refuses = false): Promise<string> => {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    ...(refuses && {
      verifyClient: (_, answer) => answer(false, 401, '{"message":"HMAC signature cannot be verified"}'),
    }),
  });
  server.on('connection', (socket, request) => handle(socket, request.url ?? '', request.headers));
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  // A listening TCP server has an address object.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

interface Heard {
  status: number;
  text: string;
  end: 'ended' | UpstreamError['fault'];
}

interface Sent {
  readonly limits?: Partial<RelayLimits>;
  readonly guard?: 'allow' | 'deny';
  readonly path?: string;
  /** Decides after each piece whether to end the call. */
  readonly abortAt?: string;
}

const send = (origin: string, sent: Sent = {}): Promise<Heard> => {
  const upstream = createUpstream({
    guard: createAddressGuard(sent.guard ?? 'allow'),
    limits: { ...relayLimits, ...sent.limits },
  });
  ends.push(() => upstream.close());
  const heard: Heard = { status: 0, text: '', end: 'ended' };
  return new Promise((resolve) => {
    const body = Buffer.from('{"ask":1}');
    const request = { origin, path: sent.path ?? '/v1/chat?x=1', method: 'GET', headers: ['x-a', 'b'], body } as const;
    const call = upstream.send(request, {
      head: (status) => (heard.status = status),
      data: (chunk) => {
        heard.text += chunk.toString();
        if (sent.abortAt !== undefined && heard.text.includes(sent.abortAt)) call.abort();
      },
      end: () => resolve(heard),
      fail: ({ fault }) => {
        heard.end = fault;
        resolve(heard);
      },
    });
  });
};

test('PROVIDER-18 a call over a WebSocket sends its body and gets one line for each message', async () => {
  const origin = await serve((socket, path, headers) => {
    socket.on('message', (data: Buffer) => {
      socket.send(JSON.stringify({ path, body: data.toString(), header: headers['x-a'] }));
      socket.send('{"last":true}');
      socket.close(1000);
    });
  });
  expect(await send(origin)).toEqual({
    status: 200,
    text: '{"path":"/v1/chat?x=1","body":"{\\"ask\\":1}","header":"b"}\n{"last":true}\n',
    end: 'ended',
  });
});

test('PROVIDER-18 an upgrade that is refused is an answer with its status', async () => {
  const origin = await serve(() => undefined, true);
  expect(await send(origin)).toEqual({
    status: 401,
    text: '{"message":"HMAC signature cannot be verified"}',
    end: 'ended',
  });
});

test('PROVIDER-18 a connection that breaks never counts as the end', async () => {
  const terminated = await serve((socket) => {
    socket.send('{}', () => socket.terminate());
  });
  expect(await send(terminated)).toMatchObject({ text: '{}\n', end: 'broken' });
  const closed = await serve((socket) => socket.on('message', () => socket.close(1011)));
  expect(await send(closed)).toMatchObject({ end: 'broken' });
  expect(await send('ws://127.0.0.1:1')).toMatchObject({ status: 0, end: 'broken' });
});

test('PROVIDER-18 silence, too large messages, blocked addresses and bad paths end a call', async () => {
  const silent = await serve(() => undefined);
  expect(await send(silent, { limits: { firstByteMs: 50 } })).toMatchObject({ end: 'timeout' });
  expect(await send(silent, { limits: { totalMs: 50 } })).toMatchObject({ end: 'timeout' });
  const loud = await serve((socket) => socket.send('x'.repeat(2000)));
  expect(await send(loud, { limits: { eventMax: 1000 } })).toMatchObject({ text: '', end: 'broken' });
  expect(await send(silent, { guard: 'deny' })).toMatchObject({ status: 0, end: 'blocked' });
  expect(await send(silent, { path: '/a#b' })).toMatchObject({ status: 0, end: 'broken' });
});

test('PROVIDER-18 the caller ends a call, and the upstream sees it close', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const origin = await serve((socket) => {
    socket.on('close', () => resolve());
    socket.send('{"n":1}');
  });
  expect(await send(origin, { abortAt: '"n":1' })).toMatchObject({ end: 'aborted' });
  await closed;
});
