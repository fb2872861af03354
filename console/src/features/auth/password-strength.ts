export type Strength = 'weak' | 'fair' | 'strong';

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u];

/** A rough rating of a password, mostly by length. Undefined: too short to be one. */
export const passwordStrength = (password: string): Strength | undefined => {
  const length = [...password].length;
  const variety = kinds.filter((kind) => kind.test(password)).length;
  const different = new Set(password).size;
  if (length < 8) return undefined;
  if (different < 6) return 'weak';
  if (length >= 16 || (length >= 12 && variety >= 3)) return 'strong';
  return length >= 12 || (length >= 10 && variety >= 3) ? 'fair' : 'weak';
};
