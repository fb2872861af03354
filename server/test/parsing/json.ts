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

/** The value of a JSON text; a text that is none stands for itself. */
export const valueOfJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The objects of a list; none where it is no list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
/** An object; an empty one where it is none. */
export const objectOf = (value: unknown): Json => (isJson(value) ? value : {});
/** A text; an empty one where it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
