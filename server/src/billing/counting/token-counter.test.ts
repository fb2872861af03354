import { afterAll, describe, expect, test } from 'vitest';
import { pieces } from './token-count.ts';
import { createTokenCounter } from './token-counter.ts';

const exact = createTokenCounter({ approximate: () => false, timeoutMs: 60_000 });
const rough = createTokenCounter({ approximate: () => true });
afterAll(() => Promise.all([exact.close(), rough.close()]));

const body = (messages: unknown, rest: object = {}) => Buffer.from(JSON.stringify({ model: 'm', messages, ...rest }));

describe('token counter', () => {
  test('RELAY-07 counts as the vendor does: hello world is 2 tokens, special marks are plain text', async () => {
    expect(await exact.text('gpt-4o', 'hello world')).toBe(2);
    expect(await exact.text('gpt-3.5-turbo', 'hello world')).toBe(2);
    expect(await exact.text('gpt-4o', '')).toBe(0);
    expect(await exact.text('gpt-4o', 'a <|endoftext|> b')).toBe(9);
  });

  test('RELAY-07 a chat costs 3 tokens a message, 3 for the answer, and what its texts, names and tools cost', async () => {
    const one = [{ role: 'user', content: 'hello world' }];
    expect(await exact.chat('gpt-4o', body(one))).toBe(3 + 1 + 2 + 3);
    expect(await exact.chat('gpt-4o', body([{ ...one[0], name: 'bob' }]))).toBe(3 + 1 + 2 + 1 + 1 + 3);
    const parts = [
      { type: 'text', text: 'hello world' },
      { type: 'image_url', image_url: { url: 'x', detail: 'low' } },
    ];
    expect(await exact.chat('gpt-4o', body([{ role: 'user', content: parts }]))).toBe(3 + 1 + 2 + 85 + 3);
    expect(await exact.chat('gpt-4o', body(one, { tools: [{}] }))).toBeGreaterThan(9);
  });

  test('RELAY-07 with ApproximateTokenEnabled a text costs trunc(bytes x 0.38)', async () => {
    expect(await rough.text('gpt-4o', '\u4f60\u597d')).toBe(2);
    expect(await rough.text('gpt-4o', 'a'.repeat(100))).toBe(38);
  });

  test('a body that is no chat, or no JSON, is estimated instead of failing', async () => {
    expect(await exact.chat('gpt-4o', Buffer.from('[1]'))).toBe(3);
    expect(await exact.chat('gpt-4o', Buffer.from('{"messages":'))).toBe(4);
    expect(await exact.chat('gpt-4o', body('x'))).toBe(3);
  });

  test('a count that is no longer awaited is estimated', async () => {
    const hasty = createTokenCounter({ approximate: () => false, timeoutMs: 0 });
    expect(await hasty.text('gpt-4o', 'a'.repeat(100))).toBe(await rough.text('gpt-4o', 'a'.repeat(100)));
    await hasty.close();
  });

  test('a pending count is answered when its thread ends', async () => {
    const ending = createTokenCounter({ approximate: () => false });
    const count = ending.text('gpt-4o', 'a'.repeat(100));
    await ending.close();
    expect(await count).toBe(await rough.text('gpt-4o', 'a'.repeat(100)));
  });

  test('an unbroken run of a megabyte is counted without stalling', async () => {
    expect(await exact.text('gpt-4o', 'ab'.repeat(500_000))).toBeGreaterThan(100_000);
  });

  test('pieces join to the text', () => {
    const text = `${'word '.repeat(1000)}${'x'.repeat(5000)}`;
    const cut = [...pieces(text)];
    expect(cut.join('')).toBe(text);
    expect(Math.max(...cut.map((piece) => piece.length))).toBeLessThanOrEqual(1000);
  });
});
