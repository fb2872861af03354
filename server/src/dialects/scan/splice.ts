/** One change of a text: bytes `start` to `end` become `text`. An insertion has `start === end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The bytes with the edits applied; every other byte is copied as it is. Edits must not overlap. */
export const splice = (bytes: Buffer, edits: readonly Edit[]): Buffer => {
  if (edits.length === 0) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(bytes.subarray(from, edit.start), Buffer.from(edit.text));
    from = edit.end;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
};
