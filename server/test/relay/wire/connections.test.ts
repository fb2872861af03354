import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const bodyOf = (members: object = {}): string =>
  JSON.stringify({ model: testModel, messages: [{ role: 'user', content: 'hello' }], ...members });

const head = (length: number, more: readonly string[] = [], version = '1.1'): string =>
  [
    `POST /v1/chat/completions HTTP/${version}`,
    'host: weir',
    `authorization: Bearer ${user.key}`,
    'content-type: application/json',
    `content-length: ${length}`,
    ...more,
    '',
    '',
  ].join('\r\n');

/** A connection of which every byte can be seen. */
const open = async () => {
  const { hostname, port } = new URL(relay.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await once(socket, 'connect');
  return {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]),
  };
};

test('RELAY-01 one connection serves answers, refusals and streams one after another', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const ask = async (body: string) => {
    const headers = { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' };
    const call = request(`${relay.url}/v1/chat/completions`, { method: 'POST', agent, headers });
    call.once('socket', (socket) => sockets.add(socket));
    const answered = new Promise<IncomingMessage>((resolve) => call.once('response', resolve));
    call.end(body);
    const response = await answered;
    const ended = once(response, 'end');
    response.resume();
    await ended;
    return [response.statusCode, response.complete];
  };
  const requests = [
    await ask(bodyOf()),
    await ask('no json'),
    await ask(bodyOf({ stream: true })),
    await ask(bodyOf({ model: 'nothing' })),
    await ask(bodyOf()),
  ];
  expect(requests).toEqual([
    [200, true],
    [400, true],
    [200, true],
    [503, true],
    [200, true],
  ]);
  expect(sockets.size).toBe(1);
  agent.destroy();
});

test('RELAY-01 requests sent before the answers came are answered in their order', async () => {
  relay.upstream.behave(({ prompt }) => ({ delayMs: prompt === 'slow' ? 100 : 0, words: prompt === 'slow' ? 1 : 2 }));
  const connection = await open();
  const bodies = ['slow', 'fast', 'fast'].map((content) => bodyOf({ messages: [{ role: 'user', content }] }));
  connection.socket.write(bodies.map((body) => head(body.length) + body).join(''));
  await expect.poll(() => connection.statuses(), { timeout: 10_000 }).toEqual(['200', '200', '200']);
  await expect
    .poll(() => [...connection.text().matchAll(/"content": "([^"]*)"/g)].map((match) => match[1]))
    .toEqual(['river', 'river stone', 'river stone']);
  connection.socket.destroy();
  relay.upstream.behave(() => undefined);
});

test('RELAY-01 a client that sends Expect: 100-continue gets status 100', async () => {
  const connection = await open();
  const body = bodyOf({ pad: 'x'.repeat(100_000) });
  connection.socket.write(head(body.length, ['expect: 100-continue']));
  await expect.poll(() => connection.statuses()).toEqual(['100']);
  connection.socket.write(body);
  await expect.poll(() => connection.statuses()).toEqual(['100', '200']);
  connection.socket.destroy();
});

test('RELAY-01 a body that comes byte by byte is read', async () => {
  const connection = await open();
  const body = bodyOf();
  connection.socket.setNoDelay(true);
  connection.socket.write(head(body.length));
  for (const byte of Buffer.from(body)) {
    connection.socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => connection.statuses()).toEqual(['200']);
  connection.socket.destroy();
});

test('RELAY-08 a body whose request is refused before its end is read a little more, and its connection ends', async () => {
  const { socket, text, statuses } = await open();
  socket.write(head(200_000).replace(user.key, 'sk-wrong'));
  await expect.poll(statuses).toEqual(['401']);
  expect(text().toLowerCase()).toContain('\r\nconnection: close\r\n');
  socket.write('x'.repeat(1000));
  socket.write(head(2));
  await once(socket, 'close');
  expect(statuses()).toEqual(['401']);
});

test('S1 a stream that broke off ends its connection, so that nothing can be taken for its rest', async () => {
  relay.upstream.behave(() => ({ endAfterEvents: 3 }));
  const connection = await open();
  const body = bodyOf({ stream: true });
  const closed = once(connection.socket, 'close');
  connection.socket.write(head(body.length) + body + head(body.length) + body);
  await closed;
  expect(connection.statuses()).toEqual(['200']);
  // Chunked, without the chunk of length 0 that would end it.
  expect(connection.text()).toMatch(/transfer-encoding: chunked/i);
  expect(connection.text()).not.toMatch(/\r\n0\r\n\r\n/);
  relay.upstream.behave(() => undefined);
  await relay.settled();
});

test('RELAY-08 smuggling by two lengths, or by a length and chunks, is refused', async () => {
  for (const more of [['content-length: 5'], ['transfer-encoding: chunked'], ['transfer-encoding: xchunked']]) {
    const requestsBefore = relay.upstream.journal().length;
    const connection = await open();
    const closed = once(connection.socket, 'close');
    connection.socket.write(`${head(0, more)}0\r\n\r\nGET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n`);
    await closed;
    expect(connection.statuses()).toEqual(['400']);
    expect(relay.upstream.journal()).toHaveLength(requestsBefore);
  }
});

test('S25 two Host fields are refused on both planes, whatever their case', async () => {
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: weir\r\nHOST: other\r\nauthorization: ${user.key}\r\n\r\n`;
  const upgrade = `${get('/v1/realtime?model=x').trimEnd()}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  for (const text of [head(0, ['Host: other']), head(0, ['host: weir']), get('/api/status'), get('/'), upgrade]) {
    const connection = await open();
    const closed = once(connection.socket, 'close');
    connection.socket.write(text);
    await closed;
    expect(connection.statuses(), text).toEqual(['400']);
  }
});

test('RELAY-07 the ledger agrees after all of this', async () => {
  const faults = await relay.disagreements();
  // These clients keep no journal.
  expect(faults.filter((fault) => !fault.startsWith('L10'))).toEqual([]);
});

test('RELAY-01 a stream comes in chunks and with their end, and to a client of HTTP/1.0 as it is until the connection ends', async () => {
  const body = bodyOf({ stream: true });
  const streamed = async (version: string): Promise<string> => {
    const { socket, text } = await open();
    const ended = once(socket, 'close');
    socket.write(head(body.length, ['connection: close'], version) + body);
    await ended;
    return text().slice(text().indexOf('\r\n\r\n') + 4);
  };
  const [chunked, plain] = [await streamed('1.1'), await streamed('1.0')];
  let joined = '';
  let left = chunked;
  for (let size = Number.NaN; size !== 0;) {
    const [line = '', digits = ''] = /^([\da-f]+)\r\n/.exec(left) ?? [];
    size = Number.parseInt(digits, 16);
    expect(size, left).not.toBeNaN();
    joined += left.slice(line.length, line.length + size);
    expect(left.slice(line.length + size, line.length + size + 2)).toBe('\r\n');
    left = left.slice(line.length + size + 2);
  }
  expect(left).toBe('');
  expect(joined).toMatch(/^data: \{[^]*data: \[DONE\]\n\n$/);
  const withoutTimes = (text: string) => text.replaceAll(/"(?:created|id)":(?:\d+|"[^"]*")/g, '');
  expect(withoutTimes(plain)).toBe(withoutTimes(joined));
});
