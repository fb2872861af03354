import * as v from 'valibot';

/** Rows per page of every list on the wire; the page index `p` starts at 0 (wire contract 1.12). */
export const pageSize = 10;

/** Of the first page of a list: the number of entries on all its pages. Absent: too many to count, or another server. */
export const totalHeader = 'x-total-count';

/** The largest amount, id or time the wire carries: beyond it a JSON number is no longer exact. */
export const integerMax = Number.MAX_SAFE_INTEGER;

/** An exact JSON integer in an answer. */
export const integer = v.pipe(v.number(), v.safeInteger());

const wholeNumberText = /^\s*-?\d{1,16}\s*$/;

/** An integer of a request body; numeric text is accepted because consoles send form values back. */
export const integerInput = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(wholeNumberText), v.transform(Number))]),
  v.safeInteger(),
);

/**
 * An integer of a query. Absent, empty or unreadable text counts as 0, "no filter", and a fraction is
 * floored: consoles send both (wire contract 1.11).
 */
export const integerQuery = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform((raw) => {
    const text = String(Array.isArray(raw) ? raw[0] : raw).trim();
    const value = text === '' ? 0 : Math.floor(Number(text));
    return Number.isSafeInteger(value) ? value : 0;
  }),
);

/** The names of a list that is joined by commas: trimmed, each once, in their order. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** Text that every database can hold: no NUL, which PostgreSQL refuses, and no half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Text of a query, trimmed and cut to so many characters; absent counts as empty. What no database holds is left out. */
export const textQueryOf = (max: number) =>
  v.pipe(
    v.optional(v.unknown(), ''),
    v.transform((raw) =>
      String(Array.isArray(raw) ? raw[0] : raw)
        .replaceAll('\0', '')
        .toWellFormed()
        .trim()
        .slice(0, max),
    ),
  );
export const textQuery = textQueryOf(256);

/** Page index of a list: below 0 or unreadable counts as 0. */
export const pageQuery = v.pipe(
  integerQuery,
  v.transform((page) => Math.max(0, page)),
);

/** The `:id` of a path. */
export const idParams = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)) });

/** Text of a request body, of any length. */
export const anyTextInput = v.pipe(v.string(), v.check(isStorable, 'text that can be stored'));

/** Text of a request body counted in characters, not UTF-16 units. A longer one is an issue that expects `<=max`. */
export const textInput = (maxCharacters: number) =>
  v.pipe(
    anyTextInput,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || [...dataset.value].length <= maxCharacters) return;
      addIssue({ message: `at most ${maxCharacters} characters`, expected: `<=${maxCharacters}` });
    }),
  );

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** A zone of the IANA time zone database. */
export const zoneInput = v.pipe(textInput(64), v.check(isZone, 'a time zone'));
