/** A field of a form, and the position of its value in the body: bytes `start` (inclusive) to `end` (exclusive). */
export interface FormField {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A part that is being read. Null in `name`: its value is not needed. */
interface Part {
  readonly name: string | null;
  readonly start: number;
  readonly pieces: Buffer[];
}

const crlf = Buffer.from('\r\n');
const blankLine = Buffer.from('\r\n\r\n');
const lastMark = Buffer.from('--');
const headersMax = 8 * 1024;
const valueMax = 64 * 1024;
const partsMax = 1000;

/**
 * The form that clients send. Anything else (folded lines, a differently written name, a value in another encoding) is
 * refused: the upstream could read it differently, and the call would be priced by the wrong model.
 */
const disposition = /^form-data; ?name="([^"\\]*)"((?:; ?filename="(?:[^"\\]|\\.)*")?(?:; ?filename\*=[^;"\s]+)?)$/i;
const header = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

interface PartHead {
  readonly name: string;
  readonly isFile: boolean;
}

/** Null: not the form of a part's head. */
const readHead = (text: string): PartHead | null => {
  let named: PartHead | null = null;
  for (const line of text === '' ? [] : text.split('\r\n')) {
    const [, name = '', value = ''] = header.exec(line) ?? [];
    if (name === '') return null;
    if (name.toLowerCase() === 'content-transfer-encoding' && !plainEncodings.has(value.toLowerCase())) return null;
    if (name.toLowerCase() !== 'content-disposition') continue;
    const [, field, file = ''] = disposition.exec(value) ?? [];
    if (field === undefined || named !== null) return null;
    named = { name: field, isFile: file !== '' };
  }
  return named;
};

const formType = /^multipart\/form-data[ \t]*((?:;[ \t]*[!#$%&'*+.^_`|~0-9a-z-]+=(?:"[^"\\]*"|[^\s";,]*)[ \t]*)+)$/i;
const parameter = /;[ \t]*([^=]+)=(?:"([^"]*)"|([^\s";]*))/g;

/**
 * The boundary that a content type names (RFC 2046: at most 70 characters); null: it is no form, or does not name exactly
 * one. Of two boundaries, or one in the extended notation of RFC 2231, the upstream could read another form than the
 * gateway, and the call would be priced by the wrong model.
 */
export const boundaryOf = (contentType: string): string | null => {
  const parameters = [...(formType.exec(contentType)?.[1] ?? '').matchAll(parameter)];
  const [given, ...others] = parameters.filter(([, name = '']) => /^boundary/i.test(name));
  if (given === undefined || others.length > 0 || given[1]?.toLowerCase() !== 'boundary') return null;
  const boundary = given[2] ?? given[3] ?? '';
  return /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary) ? boundary : null;
};

/** The content type of a form, for the upstream. */
export const formTypeOf = (boundary: string): string =>
  `multipart/form-data; boundary=${/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(boundary) ? boundary : `"${boundary}"`}`;

/** Takes the parts of a form one after another: the values of the requested fields, and the names of the files. */
class FormParts {
  readonly fields = new Map<string, FormField>();
  readonly files = new Set<string>();
  private part: Part | null = null;
  private readonly wanted: ReadonlySet<string>;

  constructor(wanted: ReadonlySet<string>) {
    this.wanted = wanted;
  }

  /** A part whose value begins at the offset `start`; what is wrong with it, or null. */
  begin({ name, isFile }: PartHead, start: number): string | null {
    if (isFile) this.files.add(name);
    const wanted = this.wanted.has(name);
    if (wanted && isFile) return `the field ${name} must not be a file`;
    if (wanted && this.fields.has(name)) return `duplicate field ${name}`;
    this.part = { name: wanted ? name : null, start, pieces: [] };
    return null;
  }

  /** More of the value, up to the offset `end`; what is wrong with it, or null. */
  add(content: Buffer, end: number): string | null {
    if (this.part === null || this.part.name === null || content.length === 0) return null;
    this.part.pieces.push(content);
    return end - this.part.start > valueMax ? `the field ${this.part.name} is too long` : null;
  }

  end(end: number): void {
    if (this.part === null || this.part.name === null) return;
    const { name, start, pieces } = this.part;
    this.fields.set(name, { value: Buffer.concat(pieces).toString('utf8'), start, end });
    this.part = null;
  }
}

/**
 * Reads a form as its bytes come, without keeping them: only the values of the requested fields, and their offsets. One
 * instance reads one body.
 */
export class FormScan {
  readonly fields: ReadonlyMap<string, FormField>;
  /** The fields whose files have begun. */
  readonly files: ReadonlySet<string>;
  private state: 'content' | 'mark' | 'head' | 'end' = 'content';
  private count = 0;
  /** Bytes that are not consumed yet, and their offset in the body. The first boundary has no line end before it. */
  private held: Buffer = crlf;
  private at = -crlf.length;
  private readonly mark: Buffer;
  private readonly parts: FormParts;

  constructor(boundary: string, wanted: ReadonlySet<string>) {
    this.mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.parts = new FormParts(wanted);
    this.fields = this.parts.fields;
    this.files = this.parts.files;
  }

  /** The form has its end. */
  ended(): boolean {
    return this.state === 'end';
  }

  /** Takes the next bytes; what is wrong with the form, or null. */
  push(chunk: Buffer): string | null {
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    for (;;) {
      const step = this.step();
      if (step !== 'next') return step;
    }
  }

  /** A fault, `next` where another step is possible, or null where more bytes are needed. */
  private step(): string | null {
    switch (this.state) {
      case 'content':
        return this.readContent();
      case 'mark':
        return this.readMark();
      case 'head':
        return this.readPartHead();
      case 'end':
        // Only the line end of the last boundary: what follows it is read by no parser alike.
        return this.held.equals(crlf.subarray(0, this.held.length)) ? null : 'the form has bytes behind its end';
    }
  }

  private readContent(): string | null {
    const found = this.held.indexOf(this.mark);
    if (this.count === 0 && this.held.length >= this.mark.length && found !== 0)
      return 'the form must begin with its boundary';
    const length = found < 0 ? Math.max(0, this.held.length - this.mark.length + 1) : found;
    const content = this.take(length);
    const fault = this.parts.add(content, this.at);
    if (fault !== null || found < 0) return fault;
    this.parts.end(this.at);
    this.take(this.mark.length);
    this.state = 'mark';
    return 'next';
  }

  private readMark(): string | null {
    if (this.held.length < 2) return null;
    const next = this.held.subarray(0, 2);
    if (next.equals(lastMark)) {
      this.state = 'end';
      this.take(lastMark.length);
      return 'next';
    }
    if (!next.equals(crlf)) return 'the form has a malformed boundary';
    if (++this.count > partsMax) return `the form has more than ${partsMax} parts`;
    this.state = 'head';
    return 'next';
  }

  /** The line end behind the mark is left in front of the head, so that an empty head has a blank line too. */
  private readPartHead(): string | null {
    const found = this.held.indexOf(blankLine);
    if ((found < 0 ? this.held.length : found) > headersMax) return 'the form has a part with a head that is too long';
    if (found < 0) return null;
    const head = readHead(this.held.toString('utf8', Math.min(found, crlf.length), found));
    if (head === null) return 'the form has a part with a malformed head';
    this.take(found + blankLine.length);
    this.state = 'content';
    return this.parts.begin(head, this.at) ?? 'next';
  }

  private take(length: number): Buffer {
    const taken = this.held.subarray(0, length);
    this.held = this.held.subarray(length);
    this.at += length;
    return taken;
  }
}
