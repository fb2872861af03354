/** Pieces of this size and more have memory of their own. */
const ownMemoryMin = 16 * 1024;

/** Frees memory that nothing uses any more at once, not when the collector finds it. The bytes are empty afterwards. */
export const giveBack = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength >= ownMemoryMin && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
};

/** One buffer of all pieces. Memory that only a piece used is given back. */
export const joinPieces = (pieces: readonly Buffer[]): Buffer => {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) giveBack(piece);
  return whole;
};
