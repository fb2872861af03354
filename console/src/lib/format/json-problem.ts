/** Position of a JSON error, lines and columns from 1, and what is expected there. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly expected: 'value' | 'comma' | 'colon' | 'name' | 'end' | 'quote';
}

/** The position after what was read, or the position of the error. */
type Step = { readonly at: number; readonly expected?: JsonProblem['expected'] };

const blank = /[ \t\n\r]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

const skip = (text: string, at: number): number => match(blank, text, at) ?? at;

const match = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
};

const readString = (text: string, at: number): Step => {
  const end = match(string, text, at);
  return end === undefined ? { at, expected: 'quote' } : { at: end };
};

const readMember = (text: string, at: number): Step => {
  if (text[at] !== '"') return { at, expected: 'name' };
  const name = readString(text, at);
  if (name.expected) return name;
  const colon = skip(text, name.at);
  return text[colon] === ':' ? readValue(text, colon + 1) : { at: colon, expected: 'colon' };
};

/** Members of an object or items of a list, up to and with the closing bracket. */
const readSeries = (text: string, at: number, close: string, read: typeof readValue): Step => {
  let index = skip(text, at);
  if (text[index] === close) return { at: index + 1 };
  for (;;) {
    const item = read(text, index);
    if (item.expected) return item;
    index = skip(text, item.at);
    if (text[index] === close) return { at: index + 1 };
    if (text[index] !== ',') return { at: index, expected: 'comma' };
    index = skip(text, index + 1);
  }
};

const readValue = (text: string, from: number): Step => {
  const at = skip(text, from);
  if (text[at] === '{') return readSeries(text, at + 1, '}', readMember);
  if (text[at] === '[') return readSeries(text, at + 1, ']', readValue);
  if (text[at] === '"') return readString(text, at);
  const end = match(literal, text, at);
  return end === undefined ? { at, expected: 'value' } : { at: end };
};

/**
 * The error of a JSON text; undefined if it parses. Engines word their errors differently and often without a
 * position, so the text is parsed here once more.
 */
export const jsonProblem = (text: string): JsonProblem | undefined => {
  const value = readValue(text, 0);
  const end = skip(text, value.at);
  const expected = value.expected ?? (end < text.length ? 'end' : undefined);
  if (expected === undefined) return undefined;
  const before = text.slice(0, value.expected ? value.at : end).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected };
};
