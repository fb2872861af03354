/** A part of a form as its sender wrote it. */
export interface FormPart {
  readonly name: string;
  /** Null: it is no file. */
  readonly filename: string | null;
  readonly type: string;
  readonly content: Buffer;
}

const partOf = (text: string): FormPart => {
  const blank = text.indexOf('\r\n\r\n');
  if (!text.startsWith('\r\n') || blank < 0) throw new Error('a part has no head');
  const head = text.slice(0, blank);
  const name = /\bname="([^"]*)"/.exec(head)?.[1];
  if (name === undefined) throw new Error('a part has no name');
  return {
    name: Buffer.from(name, 'latin1').toString(),
    filename: /\bfilename="([^"]*)"/.exec(head)?.[1] ?? null,
    type: /^content-type: *(.*)$/im.exec(head)?.[1] ?? '',
    content: Buffer.from(text.slice(blank + 4), 'latin1'),
  };
};

/** Splits a form at its boundary, independently of the gateway's parser. */
export const formParts = (body: Buffer, contentType: string): readonly FormPart[] => {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '';
  const [before, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  if (boundary === '' || before !== '' || !parts.pop()?.startsWith('--')) throw new Error('the form is not whole');
  return parts.map(partOf);
};
