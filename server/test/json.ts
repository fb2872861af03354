export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object of a JSON text; anything else fails the test. */
export const parseObject = (text: string): Json => {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new Error(`no JSON object: ${text.slice(0, 200)}`);
  return value;
};

/** A member that may be a text; anything else counts as absent. */
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
