/** The position of a member's value: bytes `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A scanned JSON object: the offsets of the requested members. */
export interface ScannedObject {
  readonly kind: 'object';
  /** The offset behind the opening brace, where a new first member is inserted. */
  readonly inside: number;
  readonly empty: boolean;
  readonly members: ReadonlyMap<string, Span>;
  /** A requested member that occurs twice: two readers could take different ones, so the body is refused. */
  readonly duplicate: string | null;
}

export type ScanFault =
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_deep' }
  | { readonly kind: 'not_object' };

/** Nesting that a body may have (objects and lists together). */
export const depthMax = 64;

const malformed = -1;
const tooDeep = -2;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Finds members of the outermost object without building it, so that a large body costs little and none of its
 * bytes change. The grammar between strings is checked as strictly as by `JSON.parse`; the inside of strings is
 * only skipped (an escape or control character that JSON forbids there is left to the reader of the value).
 */
export const scanObject = (bytes: Buffer, wanted: ReadonlySet<string>): ScannedObject | ScanFault => {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== openBrace) return { kind: skipValue(bytes, start, 0) < 0 ? 'malformed' : 'not_object' };
  const members = new Map<string, Span>();
  let duplicate: string | null = null;
  const end = eachMember(bytes, start, 0, (keyStart, keyEnd, valueStart, valueEnd) => {
    const name = readKey(bytes, keyStart, keyEnd);
    if (!wanted.has(name)) return;
    if (members.has(name)) duplicate = name;
    members.set(name, { start: valueStart, end: valueEnd });
  });
  if (end < 0) return { kind: end === tooDeep ? 'too_deep' : 'malformed' };
  if (skipSpace(bytes, end) !== bytes.length) return { kind: 'malformed' };
  const inside = start + 1;
  return { kind: 'object', inside, empty: bytes[skipSpace(bytes, inside)] === closeBrace, members, duplicate };
};

/** The members of a valid object with their names, from the key to the end of the value. */
export const namedMembers = (bytes: Buffer): readonly (Span & { readonly name: string })[] => {
  const found: (Span & { readonly name: string })[] = [];
  eachMember(bytes, skipSpace(bytes, 0), 0, (start, keyEnd, _, end) => {
    found.push({ name: readKey(bytes, start, keyEnd), start, end });
  });
  return found;
};

/** The spans of the items of the list at `list`; none where it is no list. */
export function* itemsOf(bytes: Buffer, list: Span): Generator<Span, void> {
  if (bytes[list.start] !== openBracket) return;
  let start = skipSpace(bytes, list.start + 1);
  while (bytes[start] !== closeBracket) {
    const end = skipValue(bytes, start, 0);
    if (end < 0) return;
    yield { start, end };
    const next = skipSpace(bytes, end);
    if (bytes[next] !== comma) return;
    start = skipSpace(bytes, next + 1);
  }
}

/** The span of the first item of the list at `list`; null: it is empty, or no list. */
export const firstItem = (bytes: Buffer, list: Span): Span | null => {
  const [first] = itemsOf(bytes, list);
  return first ?? null;
};

type MemberVisitor = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/** Scans the object at `at`; returns the offset behind its closing brace, or a negative fault. */
const eachMember = (bytes: Buffer, at: number, depth: number, visit: MemberVisitor | null): number => {
  if (depth >= depthMax) return tooDeep;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === closeBrace) return i + 1;
  for (;;) {
    if (bytes[i] !== quote) return malformed;
    const keyStart = i;
    const keyEnd = skipString(bytes, i);
    if (keyEnd < 0) return keyEnd;
    i = skipSpace(bytes, keyEnd);
    if (bytes[i] !== colon) return malformed;
    const valueStart = skipSpace(bytes, i + 1);
    const valueEnd = skipValue(bytes, valueStart, depth + 1);
    if (valueEnd < 0) return valueEnd;
    visit?.(keyStart, keyEnd, valueStart, valueEnd);
    i = skipSpace(bytes, valueEnd);
    if (bytes[i] === closeBrace) return i + 1;
    if (bytes[i] !== comma) return malformed;
    i = skipSpace(bytes, i + 1);
  }
};

const skipList = (bytes: Buffer, at: number, depth: number): number => {
  if (depth >= depthMax) return tooDeep;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === closeBracket) return i + 1;
  for (;;) {
    i = skipValue(bytes, i, depth + 1);
    if (i < 0) return i;
    i = skipSpace(bytes, i);
    if (bytes[i] === closeBracket) return i + 1;
    if (bytes[i] !== comma) return malformed;
    i = skipSpace(bytes, i + 1);
  }
};

const skipValue = (bytes: Buffer, at: number, depth: number): number => {
  const first: number = bytes[at] ?? 0;
  switch (first) {
    case quote:
      return skipString(bytes, at);
    case openBrace:
      return eachMember(bytes, at, depth, null);
    case openBracket:
      return skipList(bytes, at, depth);
    case 0x74:
      return skipWord(bytes, at, 'true');
    case 0x66:
      return skipWord(bytes, at, 'false');
    case 0x6e:
      return skipWord(bytes, at, 'null');
    default:
      return skipNumber(bytes, at);
  }
};

/** Strings shorter than this, or the stretch behind an escaped quote, are walked; longer ones are searched natively. */
const walkMax = 32;

export const skipString = (bytes: Buffer, at: number): number => {
  let i = at + 1;
  for (;;) {
    const stop = Math.min(bytes.length, i + walkMax);
    for (; i < stop; i++) {
      const byte = bytes[i];
      if (byte === quote) return i + 1;
      if (byte === backslash) i++;
    }
    const found = bytes.indexOf(quote, i);
    if (found < 0) return malformed;
    let slashes = 0;
    while (found - 1 - slashes >= i && bytes[found - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return found + 1;
    i = found + 1;
  }
};

const skipWord = (bytes: Buffer, at: number, word: string): number => {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return malformed;
  return at + word.length;
};

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const skipDigits = (bytes: Buffer, at: number): number => {
  let i = at;
  while (isDigit(bytes[i])) i++;
  return i === at ? malformed : i;
};

const skipNumber = (bytes: Buffer, at: number): number => {
  let i = bytes[at] === 0x2d ? at + 1 : at;
  i = bytes[i] === 0x30 ? i + 1 : skipDigits(bytes, i);
  if (i < 0) return malformed;
  if (bytes[i] === 0x2e) i = skipDigits(bytes, i + 1);
  if (i < 0) return malformed;
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    const sign = bytes[i + 1] === 0x2b || bytes[i + 1] === 0x2d;
    i = skipDigits(bytes, i + (sign ? 2 : 1));
  }
  return i;
};

export const skipSpace = (bytes: Buffer, at: number): number => {
  let i = at;
  for (;;) {
    const byte = bytes[i];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i;
    i++;
  }
};

const readKey = (bytes: Buffer, start: number, end: number): string => {
  const inner = bytes.toString('utf8', start + 1, end - 1);
  if (!inner.includes('\\')) return inner;
  try {
    const key: unknown = JSON.parse(`"${inner}"`);
    return typeof key === 'string' ? key : inner;
  } catch {
    return inner;
  }
};
