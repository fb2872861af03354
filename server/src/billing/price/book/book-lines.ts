/** Where the text of a JSON object is read. */
interface Reader {
  readonly text: string;
  at: number;
}

const pairs: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The character behind a string that begins at `from`. */
const stringEnd = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

const skipBlank = (reader: Reader): void => {
  while (/[\s,:]/.test(reader.text[reader.at] ?? '')) reader.at += 1;
};

/** Moves behind a value of any kind. */
const skipValue = (reader: Reader): void => {
  const { text } = reader;
  let depth = 0;
  while (reader.at < text.length) {
    const character = text[reader.at] ?? '';
    if (character === '"') {
      reader.at = stringEnd(text, reader.at);
    } else {
      if (depth === 0 && /[,\s}\]]/.test(character)) return;
      depth += pairs[character] ?? 0;
      reader.at += 1;
    }
    if (depth === 0 && /["}\]]/.test(character)) return;
  }
};

/** Moves to the value of a member of the object that begins here; false: there is none. */
const findMember = (reader: Reader, name: string): boolean => {
  reader.at += 1;
  for (;;) {
    skipBlank(reader);
    const begin = reader.at;
    if (reader.text[begin] !== '"') return false;
    reader.at = stringEnd(reader.text, begin);
    const key: unknown = JSON.parse(reader.text.slice(begin, reader.at));
    skipBlank(reader);
    if (key === name) return true;
    skipValue(reader);
  }
};

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The line on which an element of the array `entries` of a JSON object begins; 1 where there is no such element. */
export const lineOfEntry = (text: string, index: number): number => {
  const reader: Reader = { text, at: 0 };
  skipBlank(reader);
  if (text[reader.at] !== '{' || !findMember(reader, 'entries')) return 1;
  if (text[reader.at] !== '[') return lineAt(text, reader.at);
  reader.at += 1;
  for (let skipped = 0; skipped < index; skipped += 1) {
    skipBlank(reader);
    skipValue(reader);
  }
  skipBlank(reader);
  return lineAt(text, reader.at);
};
