/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const sized = (width: number, height: number): ImageSize | null => (width > 0 && height > 0 ? { width, height } : null);

/** Markers of JPEG segments that describe the frame: SOF0 to SOF15, but for three with other meanings. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const ofJpeg = (bytes: Buffer): ImageSize | null => {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

const ofWebp = (bytes: Buffer): ImageSize | null => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
};

/** Bytes of a file that every format but JPEG needs. */
const headBytes = 30;

/** The size of a PNG, JPEG, GIF or WebP image by its first bytes; null: unknown. */
export const imageSize = (bytes: Buffer): ImageSize | null => {
  if (bytes.length < headBytes) return null;
  const begin = bytes.toString('latin1', 0, 4);
  if (begin === '\u0089PNG') return sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (begin === 'GIF8') return sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (begin.startsWith('\u00ff\u00d8')) return ofJpeg(bytes);
  return begin === 'RIFF' ? ofWebp(bytes) : null;
};
