/** A parsed JSON object, its members unchecked. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON value of a text, or undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A member as text; empty if it is not text. */
export const textAt = (value: Json, name: string): string => {
  const member = value[name];
  return typeof member === 'string' ? member : '';
};

/** A member as a finite number; null if it is not one. */
export const numberAt = (value: Json, name: string): number | null => {
  const member = value[name];
  return typeof member === 'number' && Number.isFinite(member) ? member : null;
};

/** A member as an object; empty if it is not one. */
export const objectAt = (value: Json, name: string): Json => {
  const member = value[name];
  return isObject(member) ? member : {};
};

/** The objects of a member that is a list. */
export const objectsAt = (value: Json, name: string): readonly Json[] => {
  const member = value[name];
  return Array.isArray(member) ? member.filter(isObject) : [];
};

/** A member that is a code, which vendors write as a number or as a text; empty if it is neither. */
export const codeAt = (value: Json, name: string): string => {
  const member = value[name];
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
};

/** The same without some members. */
export const omit = (value: Json, names: readonly string[]): Json =>
  names.some((name) => name in value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
    : value;
