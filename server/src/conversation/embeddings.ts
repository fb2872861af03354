import type { Usage } from './usage.ts';

/** Texts to embed, in neutral form: converts between dialects and vendors of different forms. */
export interface EmbeddingsRequest {
  readonly texts: readonly string[];
  /** Numbers in each vector; null: the model's own. */
  readonly dimensions: number | null;
  /** The client requested each vector as little-endian floats in Base64. */
  readonly packed: boolean;
}

/** Vectors in the order of their texts. */
export interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly usage: Usage | null;
}

/** A vector as little-endian 32-bit floats in Base64. */
export const packVector = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
};

/** The reverse of `packVector`. */
export const unpackVector = (text: string): readonly number[] => {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
};

/** A list of numbers, or null for another value. */
export const vectorOf = (value: unknown): readonly number[] | null =>
  Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : null;

/** The vectors of a list; null for another value, or if it has other items too. */
export const vectorsOf = (list: unknown): readonly (readonly number[])[] | null => {
  if (!Array.isArray(list)) return null;
  const vectors = list.map(vectorOf).filter((vector) => vector !== null);
  return vectors.length === list.length ? vectors : null;
};
