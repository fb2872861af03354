import { nameCandidates } from '../price/book/model-names.ts';

/**
 * The name by which a vendor's model and ours are matched: the least exact form of its name, with hyphens for blanks
 * (`Claude Sonnet 4.5` and `claude-sonnet-4-5-20250929` are one). Fine-tuned models keep their whole name.
 */
export const modelKey = (name: string): string => {
  const plain = name.trim().toLowerCase();
  if (plain.startsWith('ft:')) return plain;
  return nameCandidates(plain.replaceAll(/\s+/g, '-')).at(-1) ?? plain;
};
