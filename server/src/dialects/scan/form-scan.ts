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

/** The boundary that a content type names (RFC 2046: at most 70 characters); null: it is no form, or names none. */
export const boundaryOf = (contentType: string): string | null => {
  if (!/^multipart\/form-data *;/i.test(contentType)) return null;
  const [, quoted, plain] = /; *boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70}))(?:;|\s*$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  return /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary) ? boundary : null;
};

/**
 * Reads a form as its bytes come, without keeping them: only the values of the requested fields, and their offsets. One
 * instance reads one body.
 */
export class FormScan {
  readonly fields = new Map<string, FormField>();
  /** The fields whose files have begun. */
  readonly files = new Set<string>();
  private state: 'content' | 'mark' | 'head' | 'end' = 'content';
  private part: Part | null = null;
  private parts = 0;
  /** Bytes that are not consumed yet, and their offset in the body. The first boundary has no line end before it. */
  private held: Buffer = crlf;
  private at = -crlf.length;
  private readonly mark: Buffer;
  private readonly wanted: ReadonlySet<string>;

  constructor(boundary: string, wanted: ReadonlySet<string>) {
    this.mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.wanted = wanted;
  }

  /** The form has its end. */
  ended(): boolean {
    return this.state === 'end';
  }

  /** Takes the next bytes; what is wrong with the form, or null. */
  push(chunk: Buffer): string | null {
    if (this.state === 'end') return null;
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
        return null;
    }
  }

  private readContent(): string | null {
    const found = this.held.indexOf(this.mark);
    if (this.parts === 0 && this.held.length >= this.mark.length && found !== 0)
      return 'the form must begin with its boundary';
    const length = found < 0 ? Math.max(0, this.held.length - this.mark.length + 1) : found;
    const content = this.take(length);
    const fault = this.collect(content);
    if (fault !== null || found < 0) return fault;
    this.finishPart();
    this.take(this.mark.length);
    this.state = 'mark';
    return 'next';
  }

  private readMark(): string | null {
    if (this.held.length < 2) return null;
    const next = this.held.subarray(0, 2);
    if (next.equals(lastMark)) {
      this.state = 'end';
      this.held = Buffer.alloc(0);
      return null;
    }
    if (!next.equals(crlf)) return 'the form has a malformed boundary';
    if (++this.parts > partsMax) return `the form has more than ${partsMax} parts`;
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
    const { name, isFile } = head;
    if (isFile) this.files.add(name);
    const wanted = this.wanted.has(name);
    if (wanted && isFile) return `the field ${name} must not be a file`;
    if (wanted && this.fields.has(name)) return `duplicate field ${name}`;
    this.part = { name: wanted ? name : null, start: this.at, pieces: [] };
    this.state = 'content';
    return 'next';
  }

  private collect(content: Buffer): string | null {
    if (this.part === null || this.part.name === null || content.length === 0) return null;
    this.part.pieces.push(content);
    return this.at - this.part.start > valueMax ? `the field ${this.part.name} is too long` : null;
  }

  private finishPart(): void {
    if (this.part === null || this.part.name === null) return;
    const { name, start, pieces } = this.part;
    this.fields.set(name, { value: Buffer.concat(pieces).toString('utf8'), start, end: this.at });
    this.part = null;
  }

  private take(length: number): Buffer {
    const taken = this.held.subarray(0, length);
    this.held = this.held.subarray(length);
    this.at += length;
    return taken;
  }
}
