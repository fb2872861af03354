import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSseSplitter } from './sse.ts';
import type { WireEvent } from './wire-event.ts';

/** Feeds the bytes in pieces that end at the given offsets. */
const feed = (bytes: Buffer, cuts: readonly number[], max = 1 << 20): WireEvent[] | null => {
  const splitter = createSseSplitter(max);
  const events: WireEvent[] = [];
  let from = 0;
  for (const cut of [...new Set([...cuts, bytes.length])].sort((a, b) => a - b)) {
    const pushed = splitter.push(bytes.subarray(from, cut));
    if (pushed === null) return null;
    events.push(...pushed);
    from = cut;
  }
  const rest = splitter.rest();
  return rest === null ? events : [...events, rest];
};

const dataOf = (events: readonly WireEvent[] | null) => events?.map(({ data }) => data).filter((data) => data !== null);

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const content = fc
  .oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('[DONE]', '{"a":"\u00e9\ud83d\ude00"}'))
  .map((text) => text.replace(/[\r\n]/g, '').replace(/^\ufeff/, ''));
/** An event as a list of lines, and the data it carries. */
const event = fc.oneof(
  content.map((text) => ({ lines: [`data: ${text}`], data: text })),
  content.filter((text) => !text.startsWith(' ')).map((text) => ({ lines: [`data:${text}`], data: text })),
  fc
    .tuple(content, content)
    .map(([a, b]) => ({ lines: ['event: message', `data: ${a}`, 'id: 7', `data: ${b}`], data: `${a}\n${b}` })),
  content.map((text) => ({ lines: [`: ${text}`], data: null })),
  fc.constant({ lines: ['data'], data: '' }),
);

describe('createSseSplitter', () => {
  test('RELAY-01 finds the same events wherever the bytes are cut, and keeps every byte', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), lineEnd, fc.array(fc.nat(400)), (events, end, cuts) => {
        const bytes = Buffer.from(events.map(({ lines }) => lines.map((line) => line + end).join('') + end).join(''));
        const found = feed(
          bytes,
          cuts.map((cut) => cut % (bytes.length + 1)),
        );
        expect(Buffer.concat(found?.map((item) => item.bytes) ?? [])).toEqual(bytes);
        expect(dataOf(found)).toEqual(events.map(({ data }) => data).filter((data) => data !== null));
      }),
      { numRuns: 1000 },
    );
  });

  test('RELAY-01 finds the same events cut at every offset', () => {
    const bytes = Buffer.from('\ufeffdata: a\u00e9\r\n\r\n: comment\n\ndata:b\r\rdata: c\ndata: d\n\ndata: [DONE]\n\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(dataOf(feed(bytes, [cut])), `cut at ${cut}`).toEqual(['a\u00e9', 'b', 'c\nd', '[DONE]']);
    }
    expect(
      dataOf(
        feed(
          bytes,
          Array.from({ length: bytes.length }, (_, i) => i),
        ),
      ),
    ).toEqual(['a\u00e9', 'b', 'c\nd', '[DONE]']);
  });

  test('returns an event as soon as its blank line is there', () => {
    const splitter = createSseSplitter(1000);
    expect(splitter.push(Buffer.from('data: a\n'))).toEqual([]);
    expect(splitter.push(Buffer.from('\ndata: b'))).toMatchObject([{ data: 'a' }]);
    expect(splitter.push(Buffer.from('\r\r'))).toMatchObject([{ data: 'b' }]);
    expect(splitter.push(Buffer.from('data: c\r\n\r\n'))).toMatchObject([{ data: 'c' }]);
    expect(splitter.rest()).toBeNull();
  });

  test('RELAY-01 gives an event all of its last line end where lines end with two bytes', () => {
    const splitter = createSseSplitter(1000);
    expect(splitter.push(Buffer.from('data: a\r\n\r'))).toEqual([]);
    expect(splitter.push(Buffer.from('\ndata: b\r'))).toMatchObject([{ bytes: Buffer.from('data: a\r\n\r\n') }]);
    expect(splitter.push(Buffer.from('\n\r'))).toEqual([]);
    expect(splitter.push(Buffer.from('data: c\n\n'))).toMatchObject([
      { bytes: Buffer.from('data: b\r\n\r') },
      { bytes: Buffer.from('data: c\n\n') },
    ]);
    expect(splitter.push(Buffer.from('data: d\r\n\r'))).toEqual([]);
    expect(splitter.rest()).toMatchObject({ data: 'd' });
  });

  test('a last event without its blank line is the rest', () => {
    expect(dataOf(feed(Buffer.from('data: a\n\ndata: [DONE]\n'), []))).toEqual(['a', '[DONE]']);
    expect(dataOf(feed(Buffer.from('data: [DONE]'), []))).toEqual(['[DONE]']);
  });

  test('RELAY-01 gives the rest its blank line, and drops half a line without data', () => {
    const restOf = (text: string) => feed(Buffer.from(text), [])?.map(({ bytes }) => bytes.toString());
    expect(restOf('data: a')).toEqual(['data: a\n\n']);
    expect(restOf('data: a\n')).toEqual(['data: a\n\n']);
    expect(restOf('data: a\r\n')).toEqual(['data: a\r\n\n']);
    expect(restOf('data: a\r')).toEqual(['data: a\r\n\n']);
    expect(restOf('data: a\n\ndat')).toEqual(['data: a\n\n']);
    expect(restOf(': wait\n')).toEqual([]);
  });

  test('refuses an event larger than allowed, whether its end comes or not', () => {
    expect(feed(Buffer.from(`data: ${'x'.repeat(200)}`), [50, 120], 100)).toBeNull();
    expect(feed(Buffer.from(`data: ${'x'.repeat(200)}\n\n`), [], 100)).toBeNull();
    expect(feed(Buffer.from('data: x\n\n'.repeat(100)), [], 100)).toHaveLength(100);
  });
});
