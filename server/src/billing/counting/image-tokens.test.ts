import { expect, test } from 'vitest';
import { imageSize } from './image-size.ts';
import { imageTokens } from './image-tokens.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', '').padEnd(80, '0'), 'hex');

const png = (width: number, height: number) =>
  bytes(
    `89504e470d0a1a0a0000000d49484452${width.toString(16).padStart(8, '0')}${height.toString(16).padStart(8, '0')}`,
  );

test.each([
  ['PNG', png(800, 600)],
  ['GIF', bytes('47494638 3961 2003 5802')],
  ['JPEG behind other segments', bytes('ffd8 ffe0 0004 0000 ffc4 0003 00 ffc2 000b 08 0258 0320')],
  ['WebP, lossy', bytes('52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802')],
  ['WebP, lossless', bytes('52494646 00000000 57454250 5650384c 00000000 2f 1fc39500')],
  ['WebP, extended', bytes('52494646 00000000 57454250 56503858 00000000 00000000 1f0300 570200')],
])('R26 RELAY-07 the size of an image is read: %s', (_, image) => {
  expect(imageSize(image)).toEqual({ width: 800, height: 600 });
});

const dataUrl = (image: Buffer) => `data:image/png;base64,${image.toString('base64')}`;

test.each([
  ['gpt-4o', 1, 1, 255],
  ['gpt-4o', 512, 513, 425],
  ['gpt-4o', 1024, 1024, 765],
  ['gpt-4o', 2048, 4096, 1105],
  ['gpt-4o-mini', 1, 1, 2833 + 5667],
  ['gpt-4o-mini-2024-07-18', 1024, 1024, 2833 + 4 * 5667],
])('R26 RELAY-07 for %s an image of %i x %i counts %i tokens', (model, width, height, tokens) => {
  expect(imageTokens({ url: dataUrl(png(width, height)) }, model)).toBe(tokens);
});

test('R26 RELAY-07 an image of low detail has one price, one at an address counts as 1024 x 1024', () => {
  const url = 'https://example.org/a.png';
  expect(imageTokens({ url: dataUrl(png(9000, 9000)), detail: 'low' }, 'gpt-4o')).toBe(85);
  expect(imageTokens({ url, detail: 'low' }, 'gpt-4o-mini')).toBe(2833);
  expect(imageTokens({ url }, 'gpt-4o')).toBe(765);
  expect(imageTokens({ url: 'data:image/png;base64,AAAA' }, 'gpt-4o')).toBe(765);
});
