const payloadOf = (bytes: Buffer, mark: Buffer): number => {
  let total = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at)) {
    const end = bytes.indexOf(0x22, at + mark.length);
    if (end < 0) return total;
    total += end - at;
    at = end;
  }
  return total;
};

/** Images in smaller bodies are not worth counting. */
const smallest = 2048;

const dataUrlMark = Buffer.from(';base64,');

/** Bytes of data URLs: an image costs tokens by its size in pixels, not by its bytes. */
export const inlineImageBytes = (bytes: Buffer): number =>
  bytes.length < smallest ? 0 : payloadOf(bytes, dataUrlMark);

/** The end of `"base64"`: a search for its first byte, a quotation mark, would stop at every text of the body. */
const base64End = Buffer.from('64"');
const base64Type = /"type"\s*:\s*"base64"/;
const dataMarks = [Buffer.from('"data":"'), Buffer.from('"data": "')];

/** The same where a payload is a member of its own (`{"type":"base64","media_type":…,"data":…}`). */
export const inlineSourceBytes = (bytes: Buffer): number => {
  // Most bodies have no such value: finding that out costs less than reading them as a text.
  if (bytes.length < smallest || !bytes.includes(base64End) || !base64Type.test(bytes.toString('latin1'))) return 0;
  return dataMarks.reduce((total, mark) => total + payloadOf(bytes, mark), 0);
};

const inlineBlob = /"inline_?[dD]ata"/;

/** The same of Gemini's parts (`{"inlineData":{"mimeType":…,"data":…}}`). */
export const inlineBlobBytes = (bytes: Buffer): number => {
  if (bytes.length < smallest || !inlineBlob.test(bytes.toString('latin1'))) return 0;
  return dataMarks.reduce((total, mark) => total + payloadOf(bytes, mark), 0);
};
