/** Pieces of this size and more have memory of their own. */
const ownMemoryMin = 16 * 1024;

/** One buffer of all pieces. Memory that only a piece used is given back at once, not when the collector finds it. */
export const joinPieces = (pieces: readonly Buffer[]): Buffer => {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = Buffer.concat(pieces);
  for (const { buffer, byteLength } of pieces) {
    if (byteLength >= ownMemoryMin && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
      buffer.transfer(0);
  }
  return whole;
};
