import type { Inbound } from './dialect.ts';
import type { ScannedObject, Span } from './scan/json-scan.ts';
import { settingOf } from './scan/member-scan.ts';
import { splice } from './scan/splice.ts';

/** A request whose answer is never streamed and is priced by its prompt alone. */
export interface PlainRequest {
  readonly bytes: Buffer;
  readonly scanned: ScannedObject;
  readonly model: string;
  /** The body has to name the model although the client's does not. */
  readonly namesModel?: boolean;
  /** See `Inbound`. */
  readonly metered?: Inbound['metered'];
  readonly embeddings?: Inbound['embeddings'];
  /** Values whose texts are the prompt. */
  readonly prompt: readonly (Span | undefined)[];
}

/** A body that the counter of prompt tokens reads: the values as they are, as parts of one prompt. */
export const countablePrompt = (bytes: Buffer, values: readonly (Span | undefined)[]): Buffer => {
  const texts = values.flatMap((span) => (span === undefined ? [] : [bytes.toString('utf8', span.start, span.end)]));
  return Buffer.from(`{"prompt":[${texts.join(',')}]}`);
};

/** A request that is no conversation and never streams. */
export const plainInbound = ({
  bytes,
  scanned,
  model,
  namesModel = false,
  prompt,
  metered,
  embeddings,
}: PlainRequest): Inbound => ({
  kind: 'inbound',
  model,
  stream: false,
  includeUsage: false,
  outputLimit: 0,
  choices: 1,
  hasSystem: () => false,
  ...(metered !== undefined && { metered }),
  ...(embeddings !== undefined && { embeddings }),
  promptBytes: bytes.length,
  bytes,
  edit: (changes) => {
    const wanted = changes.model ?? (namesModel ? model : undefined);
    return wanted === undefined ? bytes : splice(bytes, [settingOf(scanned, 'model', JSON.stringify(wanted))]);
  },
  countable: () => countablePrompt(bytes, prompt),
});
