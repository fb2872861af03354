import { imageSize, type ImageSize } from './image-size.ts';

/** What an image costs in prompt tokens (wire contract 3.7). */
interface ImageTariff {
  readonly base: number;
  /** For each square of 512 pixels, at high detail. */
  readonly tile: number;
}

const usual: ImageTariff = { base: 85, tile: 170 };
const mini: ImageTariff = { base: 2833, tile: 5667 };

const longSideMax = 2048;
const shortSideMax = 768;
const tileSide = 512;

/** The size of images at an address, which are not fetched for a count. */
const assumed: ImageSize = { width: 1024, height: 1024 };

const scaled = ({ width, height }: ImageSize, factor: number): ImageSize =>
  factor >= 1 ? { width, height } : { width: Math.trunc(width * factor), height: Math.trunc(height * factor) };

const tilesOf = (size: ImageSize): number => {
  const within = scaled(size, longSideMax / Math.max(size.width, size.height));
  const { width, height } = scaled(within, shortSideMax / Math.min(within.width, within.height));
  return Math.ceil(width / tileSide) * Math.ceil(height / tileSide);
};

/** Characters of base64 that are read for the size: a JPEG may have a preview in front of it. */
const readMax = 256 * 1024;
const head = /^data:[^,]{0,200};base64,/i;

const sizeAt = (url: unknown): ImageSize => {
  if (typeof url !== 'string') return assumed;
  const match = head.exec(url.slice(0, 256));
  if (match === null) return assumed;
  const from = match[0].length;
  return imageSize(Buffer.from(url.slice(from, from + readMax), 'base64')) ?? assumed;
};

/** Prompt tokens of an `image_url` of a chat completion. */
export const imageTokens = ({ url, detail }: Readonly<Record<string, unknown>>, model: string): number => {
  const { base, tile } = model.startsWith('gpt-4o-mini') ? mini : usual;
  return detail === 'low' ? base : base + tile * tilesOf(sizeAt(url));
};
