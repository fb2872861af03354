/** What may come next: `Close` where the end of the array or object may come too. */
type Next = 'value' | 'valueOrClose' | 'name' | 'nameOrClose' | 'colon' | 'comma' | 'end';

const closes: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const blank = /[ \t\r\n]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-])|(?:true|false|null)\b/y;

/** The end of what a pattern matches at a place; -1: it does not. */
const ends = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/** The end of a string that begins at a place; -1: none does. A pattern for all of it would take memory for each character. */
const stringEnd = (text: string, from: number): number => {
  if (text[from] !== '"') return -1;
  let at = from + 1;
  while (at < text.length && text[at] !== '"') {
    if (text.charCodeAt(at) < 0x20) return -1;
    at = text[at] === '\\' ? ends(escape, text, at) : at + 1;
    if (at < 0) return -1;
  }
  return at < text.length ? at + 1 : -1;
};

const after = (open: readonly string[]): Next => (open.length === 0 ? 'end' : 'comma');

/** One step: what comes next, and where; undefined: nothing that may be here. */
const step = (text: string, at: number, next: Next, open: string[]): { next: Next; at: number } | undefined => {
  const character = text[at] ?? '';
  const takesValue = next === 'value' || next === 'valueOrClose';
  const closing = takesValue ? closes[character] : undefined;
  if (closing !== undefined) {
    open.push(closing);
    return { next: character === '{' ? 'nameOrClose' : 'valueOrClose', at: at + 1 };
  }
  if (character === open.at(-1) && (next === 'comma' || next.endsWith('OrClose'))) {
    open.pop();
    return { next: after(open), at: at + 1 };
  }
  if (character === ',' && next === 'comma') return { next: open.at(-1) === '}' ? 'name' : 'value', at: at + 1 };
  if (character === ':' && next === 'colon') return { next: 'value', at: at + 1 };
  if (next === 'name' || next === 'nameOrClose') {
    const end = stringEnd(text, at);
    return end < 0 ? undefined : { next: 'colon', at: end };
  }
  if (!takesValue) return undefined;
  const end = Math.max(stringEnd(text, at), ends(scalar, text, at));
  return end < 0 ? undefined : { next: after(open), at: end };
};

/** The first place in a text that makes it no JSON, as far as the text is one; its end where it ends too early. */
export const jsonFaultAt = (text: string): number => {
  const open: string[] = [];
  let now: { next: Next; at: number } = { next: 'value', at: 0 };
  for (;;) {
    const at = ends(blank, text, now.at);
    const found: { next: Next; at: number } | undefined = step(text, at, now.next, open);
    if (found === undefined) return at;
    now = found;
  }
};
