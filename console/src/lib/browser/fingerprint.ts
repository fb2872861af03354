/** A short hash of a text, to recognise it again; not for secrets. */
export const fingerprint = (text: string): string => {
  let hash = 5381;
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
};
