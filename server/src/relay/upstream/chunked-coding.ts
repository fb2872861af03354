const lineEnd = '\r\n';

/** One chunk of HTTP/1.1's chunked coding (RFC 9112, 7.1). `length`: the bytes of all pieces. */
export const chunkOf = (pieces: readonly Buffer[], length: number): Buffer => {
  const size = length.toString(16) + lineEnd;
  const chunk = Buffer.allocUnsafe(size.length + length + lineEnd.length);
  let at = chunk.write(size, 'latin1');
  for (const piece of pieces) at += piece.copy(chunk, at);
  chunk.write(lineEnd, at, 'latin1');
  return chunk;
};

/** Ends a chunked body. */
export const lastChunk = Buffer.from('0\r\n\r\n');
