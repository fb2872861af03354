/** The text of an external value; anything but text and numbers counts as absent. */
export const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};
