import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkOf, lastChunk } from './chunked-coding.ts';
import { createResponseParser } from './response-parser.ts';

interface Seen {
  readonly heads: [number, Record<string, unknown>][];
  readonly ends: boolean[];
  body: string;
  /** Whether every push, and the close, kept to the rules. */
  valid: boolean;
  closed: boolean;
}

/**
 * Feeds an answer in pieces that end at the given offsets; every piece is overwritten afterwards, as a read buffer is.
 */
const parse = (text: string | Buffer, cuts: readonly number[] = [], close = false): Seen => {
  const seen: Seen = { heads: [], ends: [], body: '', valid: true, closed: false };
  const parser = createResponseParser({
    head: (status, headers) => void seen.heads.push([status, { ...headers }]),
    data: (bytes) => void (seen.body += bytes.toString('latin1')),
    end: (reusable) => void seen.ends.push(reusable),
  });
  parser.reset();
  const bytes = Buffer.from(text.toString('latin1'), 'latin1');
  let from = 0;
  for (const cut of [...new Set([...cuts, bytes.length])].toSorted((a, b) => a - b)) {
    const piece = Buffer.from(bytes.subarray(from, cut));
    seen.valid &&= parser.push(piece);
    piece.fill('!');
    from = cut;
  }
  if (close) seen.closed = parser.close();
  return seen;
};

const body = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
/** Ways to write the size of a chunk. */
const sizes: readonly ((digits: string) => string)[] = [
  (digits) => digits,
  (digits) => digits.toUpperCase(),
  (digits) => digits.padStart(13, '0'),
  (digits) => `${digits};a=b`,
  (digits) => `${digits} `,
];
const chunked = (pieces: readonly string[], size: (digits: string) => string): string =>
  pieces
    .filter((piece) => piece !== '')
    .map((piece) => `${size(piece.length.toString(16))}\r\n${piece}\r\n`)
    .join('');
const headers = fc.constantFrom(
  '',
  'X-A: 1\r\nx-b:two words \r\n',
  'Server: \xe9\r\nEmpty:\r\n',
  'keep-alive: timeout=5, max=10\r\n',
);
const interim = fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
const cutOffsets = fc.array(fc.nat(400));

describe('createResponseParser', () => {
  test('RELAY-01 reads an answer with a length wherever its bytes are cut', () => {
    fc.assert(
      fc.property(body, headers, interim, cutOffsets, (content, more, before, cuts) => {
        const seen = parse(
          `${before}HTTP/1.1 200 OK\r\n${more}Content-Length: ${content.length}\r\n\r\n${content}`,
          cuts,
        );
        expect(seen).toMatchObject({ body: content, ends: [true], valid: true });
        expect(seen.heads).toHaveLength(1);
        expect(seen.heads[0]?.[1]).toMatchObject({ 'content-length': String(content.length) });
      }),
    );
  });

  test('RELAY-01 reads an answer in chunks wherever its bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(body),
        headers,
        fc.constantFrom(...sizes),
        fc.constantFrom('', 'x-sum: 1\r\n'),
        cutOffsets,
        (pieces, more, size, trailer, cuts) => {
          const seen = parse(
            `HTTP/1.1 201 \r\n${more}Transfer-Encoding: Chunked\r\n\r\n${chunked(pieces, size)}0\r\n${trailer}\r\n`,
            cuts,
          );
          expect(seen).toMatchObject({ body: pieces.join(''), ends: [true], valid: true });
        },
      ),
    );
  });

  test('RELAY-01 reads chunks of every size as they are written here', () => {
    for (const length of [1, 9, 15, 16, 255, 256, 4095, 4096, 65_535, 65_536, 1_048_577, 16_777_216]) {
      const chunk = chunkOf([Buffer.alloc(1, 'a'), Buffer.alloc(length - 1, 'b')], length);
      const answer = Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'),
        chunk,
        lastChunk,
      ]);
      const { body: read, ends, valid } = parse(answer);
      expect({ valid, ends, length: read.length }).toEqual({ valid: true, ends: [true], length });
    }
  });

  test('an answer without a length ends with its connection, which serves no other', () => {
    fc.assert(
      fc.property(body, cutOffsets, (content, cuts) => {
        const seen = parse(`HTTP/1.1 200 OK\r\n\r\n${content}`, cuts, true);
        expect(seen).toMatchObject({ body: content, ends: [false], valid: true, closed: true });
      }),
    );
  });

  test.each([
    ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nConnection: Close, x\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', true],
    ['HTTP/1.1 204 No Content\r\n\r\n', true],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', true],
  ])('tells from %j whether the connection may go on', (text, reusable) => {
    expect(parse(text)).toMatchObject({ ends: [reusable], valid: true });
  });

  test('joins repeated headers and leaves cookies out', () => {
    const { heads } = parse('HTTP/1.1 200 OK\r\nA: 1\r\na: 2\r\nSet-Cookie: x=1\r\nContent-Length: 0\r\n\r\n');
    expect(heads).toEqual([[200, { a: '1, 2', 'content-length': '0' }]]);
  });

  test.each([
    'HTTP/2 200 OK\r\n\r\n',
    'HTTP/1.1 99 X\r\n\r\n',
    'HTTP/1.1 2000 X\r\n\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n',
    'ICY 200 OK\r\n\r\n',
    '<html>\r\n\r\n',
    '\r\nHTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx',
    'HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA : 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: 1\r\n b: folded\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: \x01\r\n\r\n',
    'HTTP/1.1 200 OK\r\n: 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno trailer\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxy',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(70_000)}\r\n\r\n`,
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(40),
  ])('refuses %j', (text) => {
    expect(parse(text).valid).toBe(false);
    expect(
      parse(
        text,
        Array.from({ length: Math.min(text.length, 2000) }, (_, i) => i),
      ).valid,
    ).toBe(false);
  });

  test.each([
    '',
    'HTTP/1.1 2',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nxy',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
  ])('a connection that ends behind %j broke off', (text) =>
    expect(parse(text, [], true)).toMatchObject({ valid: true, closed: false, ends: [] }),
  );

  test('whatever comes, it neither throws nor ends an answer twice', () => {
    const noise = fc.array(
      fc.oneof(
        fc.constantFrom(
          'HTTP/1.1 200 OK\r\n',
          'Content-Length: 4\r\n',
          'Transfer-Encoding: chunked\r\n',
          '\r\n',
          '4\r\n',
          '0\r\n',
          'abcd',
          '\n',
          ' ',
        ),
        body,
      ),
    );
    fc.assert(
      fc.property(noise, cutOffsets, (parts, cuts) => {
        expect(parse(parts.join(''), cuts, true).ends.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 },
    );
  });
});
