import type { Opening } from '../dialect.ts';
import { itemsOf, scanObject, type Span } from './json-scan.ts';
import { valueOf } from './member-scan.ts';

const roleMember = new Set(['role']);
const comma = 0x2c;

/** Enough to distinguish conversations. */
const textMax = 16 * 1024;

/** Cache marks: they move on with the conversation. */
const cacheMark = /,?\s*"cache_control"\s*:\s*\{[^{}]*\}/g;

/** The opening of a conversation: its first user message. System messages may contain the time. */
export const openingOf = (bytes: Buffer, list: Span | undefined): Opening | null => {
  if (list === undefined) return null;
  for (const { start, end } of itemsOf(bytes, list)) {
    const message = bytes.subarray(start, end);
    const scanned = scanObject(message, roleMember);
    if (scanned.kind !== 'object') return null;
    const role = valueOf(message, scanned.members.get('role')) ?? 'user';
    if (role !== 'user') continue;
    const text = message.toString('latin1', 0, textMax).replace(cacheMark, '');
    return { text, continued: bytes.subarray(end, list.end).includes(comma) };
  }
  return null;
};

/** OpenAI's clients may name what has a common beginning. */
export const namedOpening = (name: unknown): Opening | null =>
  typeof name === 'string' && name !== '' ? { text: `name ${name}`, continued: true } : null;
