import type { Abridged } from '../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { BodyChanges } from '../conversation/body-changes.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Embedded, EmbeddingsRequest } from '../conversation/embeddings.ts';
import type { Json } from '../conversation/json.ts';
import type { WireFormat } from '../conversation/wire-format.ts';

/** A request as its dialect reads it: the members that a gateway acts on, without building the rest. */
export interface Inbound {
  readonly kind: 'inbound';
  readonly model: string;
  readonly stream: boolean;
  /** The client asked for a usage chunk at the end of its stream, or its dialect always has one. */
  readonly includeUsage: boolean;
  /** Output tokens per choice that the client allows; null: it bounds nothing; 0: there is no output that costs. */
  readonly outputLimit: number | null;
  readonly choices: number;
  /** The conversation has a system message of the client's. */
  hasSystem(): boolean;
  /**
   * What the call costs, as prompt tokens, known by the request and the model that a channel is asked for: no report
   * changes it. A fault where that model refuses it. Absent: tokens are counted.
   */
  readonly metered?: (model: string) => number | ReadFault;
  /** How the conversation begins, which all its calls have in common. Absent: the endpoint takes no conversations. */
  readonly opening?: () => Opening | null;
  /** The prompt is sound, which the answer alone tells the size of: its words are counted where nobody reports any. */
  readonly audioInput?: true;
  /** Bytes that become prompt tokens: the body without its inline images. */
  readonly promptBytes: number;
  /** The body as the client sent it. */
  readonly bytes: Buffer;
  edit(changes: BodyChanges): Buffer;
  /** In neutral form. Absent: the endpoint takes no conversations. */
  readonly conversation?: () => Conversation | ReadFault;
  /** The same without its longest texts. Absent: they are never left out. */
  readonly abridged?: () => Abridged | ReadFault;
  /** In neutral form. Absent: the endpoint makes no embeddings. */
  readonly embeddings?: () => EmbeddingsRequest | ReadFault;
  /** A chat completion body that costs as many prompt tokens, for counting where no upstream did. */
  countable(): Buffer;
}

/** What tells a conversation from others, also when vendors' marks in its messages move on from call to call. */
export interface Opening {
  readonly text: string;
  /** More follows than this: an earlier call had the same opening. */
  readonly continued: boolean;
}

/** Reads a form as its bytes come. Has a life: one body. */
export interface FormReader {
  readonly kind: 'form';
  /** Takes the next bytes; what is wrong with the form so far, or null. */
  push(chunk: Buffer): ReadFault | null;
  /** Enough is here for the call to begin: what follows goes on as it comes. */
  ready(): boolean;
  /** The body is at its end; what it lacks, or null. */
  end(): ReadFault | null;
  /** The request by what is here. Its `edit` changes these bytes alone. */
  read(head: Buffer): Inbound | ReadFault;
}

/** Why a body is no request. `code` and `message` go into the error object. */
export interface ReadFault {
  readonly kind: 'fault';
  readonly code:
    | 'invalid_json'
    | 'invalid_text_request'
    | 'prompt_missing'
    | 'size_not_supported'
    | 'prompt_too_long'
    | 'n_not_within_range'
    | 'text_too_long';
  readonly message: string;
}

/** What stands beside a body. */
export interface RequestHead {
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** Empty: none. */
  readonly contentType: string;
  /** What earlier answers to this client kept; null: nothing by that id. Absent: nothing is kept. */
  readonly kept?: (id: string) => Json | null;
}

/** A failure as a client is told of it. */
export interface ClientError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | number | null;
  /** Checks of tokens and channels tell their message and type alone, where the dialect has a choice. */
  readonly short: boolean;
}

/** How a dialect tells of failures. */
export interface ErrorForm {
  /** The body of an answer with a failure status. */
  body(error: ClientError, requestId: string): string;
  /** The last event of a stream that breaks off. */
  event(error: ClientError, requestId: string): Buffer;
}

/** What a converted answer is written with. */
export interface AnswerFacts {
  readonly requestId: string;
  /** As the client asked for it. */
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  readonly includeUsage: boolean;
  /** Keeps what the client may name again by its id. */
  keep(id: string, value: Json): void;
  /** The body as the client wrote it, where a dialect repeats members of it. */
  readonly members: Json;
}

/** Writes the events of one stream. It has a life. */
export interface EventWriter {
  /** Null: these events put nothing into the stream. */
  write(events: readonly StreamEvent[]): Buffer | null;
  /** Everything that ends a complete stream behind its last event, terminator included. */
  end(): Buffer;
}

/** How answers of other vendors are told in a dialect. */
export interface Conversion {
  answer(answer: Answer, facts: AnswerFacts): Buffer;
  stream(facts: AnswerFacts): EventWriter;
  /** The media type of a stream; absent: server-sent events. */
  readonly streamType?: string;
}

/** Writes the vectors of vendors of another form. */
export type EmbeddingsWriter = (embedded: Embedded, embeddings: EmbeddingsRequest, model: string) => Buffer;

/** One inbound form. Pure. */
export interface Dialect {
  readonly format: WireFormat;
  /** Client headers that a native provider may need, in lower case. */
  readonly headers: readonly string[];
  /** Reads a body without building it. Never throws. */
  read(body: Buffer, head: RequestHead): Inbound | ReadFault;
  /** For bodies that are forms, which need not be here whole. Null: this body is none. Absent: none ever is. */
  readonly form?: (head: RequestHead) => FormReader | ReadFault | null;
  readonly errors: ErrorForm;
  /** Absent: calls are passed through, or translated by the provider itself. */
  readonly conversion?: Conversion;
  /** Absent: calls of this form make no embeddings. */
  readonly embeddings?: EmbeddingsWriter;
  /** Calls ask only how many prompt tokens a conversation has, which is free: this writes the answer. */
  readonly count?: (tokens: number) => string;
}
