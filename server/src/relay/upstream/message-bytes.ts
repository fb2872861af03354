import type { RawData } from 'ws';

/** The bytes of a message, in whatever form its socket has them. */
export const messageBytes = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
};
