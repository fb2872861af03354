import { parseExact, withNumbersOf } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectsAt } from '../../conversation/json.ts';
import { createMarking } from '../../conversation/marking.ts';
import { skipSpace, skipString } from './json-scan.ts';

/** A body without its longest texts. */
export interface AbridgedBody {
  /** As parsed, with marks instead of the texts that were left out. Undefined: the body is not JSON. */
  readonly body: unknown;
  /** Restores them in a body that was made of it. */
  restore(written: Buffer): Buffer;
}

/** Texts of this length cost more to parse and write again than to find. */
const longMin = 4096;

/** A mark must not follow these: white space and escapes would change their meaning. */
const unclear = new Set(Buffer.from(' \t\r\n\\'));

const marking = createMarking();

const dataUrlHead = /^data:[^,"\\]{0,200};base64,/;

/** The part of a text that stays in front of its mark: the beginning of a data URL names its type. */
const keptHead = (bytes: Buffer, start: number): number =>
  dataUrlHead.exec(bytes.toString('latin1', start, start + 256))?.[0].length ?? 0;

interface Cut {
  /** JSON with marks. */
  readonly text: string;
  /** The texts that they replace, as the client wrote them, escapes included. */
  readonly texts: readonly Buffer[];
}

const cut = (bytes: Buffer): Cut => {
  const texts: Buffer[] = [];
  let text = '';
  let from = 0;
  for (let at = bytes.indexOf(0x22); at >= 0; at = bytes.indexOf(0x22, at)) {
    const end = skipString(bytes, at);
    if (end < 0) break;
    const isLong = end - at > longMin && !unclear.has(bytes[at + 1] ?? 0) && bytes[skipSpace(bytes, end)] !== 0x3a;
    if (isLong) {
      const start = at + 1 + keptHead(bytes, at + 1);
      text += bytes.toString('utf8', from, start) + marking.of(texts.length);
      texts.push(bytes.subarray(start, end - 1));
      from = end - 1;
    }
    at = end;
  }
  return { text: text + bytes.toString('utf8', from), texts };
};

/** The value with its texts whole but for the spared ones. Throws where one of them is no JSON. */
const whole = (value: unknown, texts: readonly Buffer[], spared: ReadonlySet<unknown>): unknown => {
  if (typeof value === 'string') {
    const at = spared.has(value) ? -1 : value.indexOf(marking.head);
    const raw = at < 0 ? undefined : texts[Number(value.slice(at + marking.head.length, at + marking.length))];
    return raw === undefined ? value : value.slice(0, at) + String(JSON.parse(`"${raw.toString()}"`));
  }
  if (Array.isArray(value))
    return withNumbersOf(
      value,
      value.map((item) => whole(item, texts, spared)),
    );
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, whole(member, texts, spared)] as const);
  return withNumbersOf(value, Object.fromEntries(members));
};

const asItIs = (text: string): AbridgedBody => ({ body: parseExact(text), restore: (written) => written });

/**
 * Parses a body of sound JSON and leaves out its longest texts: documents and images of many kilobytes are passed on as
 * they arrived, instead of being decoded, copied and encoded again. Only the texts that `select` returns may be left out; the
 * code that receives the body must pass them on unchanged, neither reading them nor writing them into another JSON
 * text.
 */
export const abridge = (bytes: Buffer, select: (body: Json) => readonly unknown[]): AbridgedBody => {
  if (bytes.length < longMin) return asItIs(bytes.toString());
  const { text, texts } = cut(bytes);
  if (texts.length === 0) return asItIs(text);
  const parsed = parseExact(text);
  if (!isObject(parsed)) return { body: parsed, restore: (written) => written };
  const spared = new Set(select(parsed));
  try {
    return { body: whole(parsed, texts, spared), restore: (written) => marking.restore(written, texts) };
  } catch {
    return { body: undefined, restore: (written) => written };
  }
};

/** The texts of user messages in a body, and for each part what `select` selects. */
export const userContents = (body: Json, select: (part: Json) => unknown): readonly unknown[] =>
  objectsAt(body, 'messages')
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject).map(select) : [content]));
