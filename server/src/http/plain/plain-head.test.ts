import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { readPlainHead } from './plain-head.ts';

const plain = (more: readonly string[] = [], body = ''): Buffer =>
  Buffer.from(
    [
      'POST /v1/chat/completions?a=b HTTP/1.1',
      'Host: weir',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...more,
      '',
      body,
    ].join('\r\n'),
    'latin1',
  );

test('S1 RELAY-01 reads the head of an ordinary request', () => {
  expect(readPlainHead(plain(['Authorization:  Bearer sk-1 ', 'x-empty:'], '{}'))).toEqual({
    url: '/v1/chat/completions?a=b',
    headers: {
      host: 'weir',
      'content-type': 'application/json',
      'content-length': '2',
      authorization: 'Bearer sk-1',
      'x-empty': '',
    },
    length: 2,
    bytes: plain(['Authorization:  Bearer sk-1 ', 'x-empty:']).length,
  });
});

const text = plain().toString('latin1');
const replaced = (what: string, by: string) => [`${what} → ${by}`, text.replace(what, by)] as const;

const unusual: readonly (readonly [name: string, head: string])[] = [
  replaced('POST', 'GET'),
  replaced('POST', 'post'),
  replaced('POST ', 'POST  '),
  replaced(' /v1', ' http://weir/v1'),
  replaced('/v1', '/v\x01'),
  replaced('/v1', '/v\xe9'),
  replaced('?a=b HTTP', ' HTTP'.repeat(2)),
  replaced('HTTP/1.1', 'HTTP/1.0'),
  replaced('HTTP/1.1', 'HTTP/1.1 '),
  replaced('Host: weir', 'Host: weir\r\nHost: other'),
  replaced('Host: weir', 'host: weir\r\nHOST: weir'),
  replaced('Host: weir\r\n', ''),
  replaced('Host: weir', 'Host:'),
  replaced('Host: weir', 'Host : weir'),
  replaced('Host: weir', ' Host: weir'),
  replaced('Host: weir', 'Host: we\tir'),
  replaced('Host: weir', 'Host: w\xe9ir'),
  replaced('Host: weir', 'Host: weir\r\n folded'),
  replaced('Host: weir', 'Host: weir\nx: y'),
  replaced('Host: weir', 'Host: weir\rx: y'),
  replaced('Host: weir', 'Host: we\0ir'),
  replaced('Host: weir', 'Host: weir\r\nContent_Length: 5'),
  replaced('Host: weir', 'Host: weir\r\n__proto__: 5'),
  replaced('Host: weir', 'Host: weir\r\nno colon'),
  replaced('Host: weir', 'Host: weir\r\n: nameless'),
  replaced('Host: weir', 'Host: weir\r\nTransfer-Encoding: chunked'),
  replaced('Host: weir', 'Host: weir\r\nTransfer-Encoding: identity'),
  replaced('Host: weir', 'Host: weir\r\nExpect: 100-continue'),
  replaced('Host: weir', 'Host: weir\r\nUpgrade: websocket'),
  replaced('Host: weir', 'Host: weir\r\nConnection: close'),
  replaced('Host: weir', 'Host: weir\r\nConnection: keep-alive, content-length'),
  replaced('Host: weir', 'Host: weir\r\nTrailer: x'),
  replaced('Host: weir', `Host: weir\r\nx: ${'y'.repeat(9000)}`),
  replaced('Host: weir', `Host: weir${'\r\nx: y'.repeat(2)}`),
  replaced('Host: weir', `Host: weir\r\n${Array.from({ length: 70 }, (_, index) => `x-${index}: y`).join('\r\n')}`),
  replaced('Content-Length: 0\r\n', ''),
  replaced('Content-Length: 0', 'Content-Length: 0\r\nContent-Length: 0'),
  replaced('Content-Length: 0', 'Content-Length: 0, 0'),
  replaced('Content-Length: 0', 'Content-Length: +0'),
  replaced('Content-Length: 0', 'Content-Length: -1'),
  replaced('Content-Length: 0', 'Content-Length: 0x1'),
  replaced('Content-Length: 0', 'Content-Length: 1e3'),
  replaced('Content-Length: 0', 'Content-Length: 1048577'),
  replaced('Content-Length: 0', 'Content-Length: 99999999999999999999'),
  replaced('\r\n\r\n', '\r\n'),
  replaced('\r\n\r\n', '\n\n'),
  ['nothing', ''],
  ['an empty line first', `\r\n${text}`],
];

test.each(unusual)('S1 leaves to the other reader: %s', (_, head) => {
  expect(readPlainHead(Buffer.from(head, 'latin1'))).toBeNull();
});

/** Node's own reader, which has the last word. */
const requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
const node = createServer((request, response) => {
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString('latin1')));
  request.on('end', () => {
    requests.push({ request, body });
    response.end();
  });
});
beforeAll(async () => {
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
});
afterAll(() => {
  node.closeAllConnections();
  node.close();
});

/** What Node's server makes of these bytes, until it has answered once or ended the connection. */
const readByNode = async (bytes: Buffer) => {
  requests.length = 0;
  const address = node.address();
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  socket.on('error', () => undefined);
  const answered = Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.write(bytes);
  await answered;
  socket.destroy();
  return requests[0];
};

const characters = '\r\n\0\t :,;"\x7f\x80\xff_-01a';
const parts = [
  '\r\n',
  'POST ',
  'x: y\r\n',
  'Content-Length: 1\r\n',
  'content-length:0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: b\r\n',
  ' HTTP/1.1',
  '\r\n\r\n',
];
const odd = fc.constantFrom(...characters.split(''), ...parts);
const changed = fc
  .array(fc.record({ at: fc.nat(400), cut: fc.nat(3), put: odd }), { minLength: 1, maxLength: 3 })
  .map((changes) =>
    changes.reduce(
      (whole, { at, cut, put }) => whole.slice(0, at % whole.length) + put + whole.slice((at % whole.length) + cut),
      plain(['Authorization: Bearer sk-1', 'User-Agent: test/1.0 (a; b)'], '{"model":"a"}').toString('latin1'),
    ),
  )
  .map((whole) => Buffer.from(whole, 'latin1'));

test('S1 reads no bytes otherwise than Node does, whatever is changed in them', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(changed, async (bytes) => {
      const head = readPlainHead(bytes);
      // The body is cut where it is longer than announced, and completed where it is shorter.
      if (head === null) return;
      accepted += 1;
      const announced = Buffer.concat([bytes, Buffer.alloc(head.length, 'z')]).subarray(0, head.bytes + head.length);
      const read = await readByNode(announced);
      expect(read?.request.method).toBe('POST');
      expect(read?.request.url).toBe(head.url);
      expect({ ...read?.request.headers }).toEqual(head.headers);
      expect(read?.body).toBe(announced.subarray(head.bytes).toString('latin1'));
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(300);
});
