import type { Abridged } from '../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { BodyChanges } from '../conversation/body-changes.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Embedded, EmbeddingsRequest } from '../conversation/embeddings.ts';
import type { Json } from '../conversation/json.ts';
import type { WireFormat } from '../conversation/wire-format.ts';

/** A request as its dialect reads it: the members that the gateway needs, without building the others. */
export interface Inbound {
  readonly kind: 'inbound';
  readonly model: string;
  readonly stream: boolean;
  /** The client requested a usage chunk at the end of its stream, or its dialect always has one. */
  readonly includeUsage: boolean;
  /** Output tokens per choice that the client allows; null: no limit; 0: the output is free. */
  readonly outputLimit: number | null;
  readonly choices: number;
  /** The service tier that the client asks for; absent: none, or the endpoint has none. */
  readonly serviceTier?: string;
  /** The conversation has a system message of the client's. */
  hasSystem(): boolean;
  /**
   * The cost of the call, where the request and the model of the channel determine it. A fault where that model refuses
   * the request. Absent: tokens are counted.
   */
  readonly metered?: (model: string) => Metered | ReadFault;
  /** How the conversation begins, which all its calls have in common. Absent: the endpoint takes no conversations. */
  readonly opening?: () => Opening | null;
  /**
   * The prompt is audio: its size is known from the answer alone. Without reported usage, the answer text is counted as
   * prompt.
   */
  readonly audioInput?: true;
  /** Bytes that become prompt tokens: the body without its inline images. */
  readonly promptBytes: number;
  /** The body as the client sent it. */
  readonly bytes: Buffer;
  /** The content type to send the body with. Absent: the client's. */
  readonly contentType?: string;
  edit(changes: BodyChanges): Buffer;
  /** In neutral form. Absent: the endpoint takes no conversations. */
  readonly conversation?: () => Conversation | ReadFault;
  /** The same without its longest texts. Absent: they are never left out. */
  readonly abridged?: () => Abridged | ReadFault;
  /** In neutral form. Absent: the endpoint makes no embeddings. */
  readonly embeddings?: () => EmbeddingsRequest | ReadFault;
  /** What the request names of what upstreams keep. Absent: the dialect reads nothing of the kind. */
  readonly references?: () => readonly StateReference[];
  /** A chat completion body with as many prompt tokens, for counting where the upstream reports none. */
  countable(): Buffer;
}

/** A cost that the request determines. */
export interface Metered {
  readonly kind: 'metered';
  /** The cost as prompt tokens of the model. */
  readonly tokens: number;
  /** The tokens are a price of images: none of them is logged, and the usage of an upstream that reports it counts instead. */
  readonly images?: ImagePrice;
  /** What vendors count of a text to speak; absent: the call is for no speech. */
  readonly characters?: number;
}

/** The price of images, where no usage is reported. */
export interface ImagePrice {
  readonly count: number;
  /** Of one image, in thousandths of the model's ratio. */
  readonly thousandths: number;
  /** Output tokens of all images, at most, of models that are priced by tokens; otherwise 0. */
  readonly outputTokens: number;
}

/** Names a thing that an upstream keeps. */
export interface StateReference {
  readonly kind: 'response' | 'conversation' | 'item' | 'prompt';
  readonly id: string;
}

/** Identifies a conversation, also when cache marks in its messages move on from call to call. */
export interface Opening {
  readonly text: string;
  /** More follows than this: an earlier call had the same opening. */
  readonly continued: boolean;
}

/** Reads one form body as its bytes arrive. */
export interface FormReader {
  readonly kind: 'form';
  /** Takes the next bytes; returns the first fault of the form so far, or null. */
  push(chunk: Buffer): ReadFault | null;
  /** Enough was read to start the call; the remaining bytes are passed on as they arrive. */
  ready(): boolean;
  /** Ends the body; returns a fault where it is incomplete, or null. */
  end(): ReadFault | null;
  /** The request, from the bytes read so far. Its `edit` changes these bytes alone. */
  read(head: Buffer): Inbound | ReadFault;
}

/** The fault of a body that is no valid request. `code` and `message` go into the error object. */
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

/** What a dialect needs of a request besides its body. */
export interface RequestHead {
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** Empty: none. */
  readonly contentType: string;
  /** Finds an item of an earlier response to this client by its id; null: unknown. Absent: no items are kept. */
  readonly kept?: (id: string) => Json | null;
}

/** A failure as it is sent to a client. */
export interface ClientError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | number | null;
  /** Only message and type are written, where the dialect allows it: for checks of tokens and channels. */
  readonly short: boolean;
}

/** Writes failures in a dialect. */
export interface ErrorForm {
  /** The body of an answer with a failure status. */
  body(error: ClientError, requestId: string): string;
  /** The last event of a stream that fails. */
  event(error: ClientError, requestId: string): Buffer;
}

/** Facts of the call that a converted answer needs. */
export interface AnswerFacts {
  readonly requestId: string;
  /** As requested by the client. */
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  readonly includeUsage: boolean;
  /** How many answers were requested; more than 1 only where the dialect has `choices`. */
  readonly choices: number;
  /** Stores an item that later requests may name by its id. */
  keep(id: string, value: Json): void;
  /** The body as the client wrote it, where a dialect repeats members of it. */
  readonly members: Json;
}

/** Writes the events of one stream. Stateful. */
export interface EventWriter {
  /** Null: these events add nothing to the stream. `choice`: the answer that they belong to, from 0; absent: the first. */
  write(events: readonly StreamEvent[], choice?: number): Buffer | null;
  /** Everything that ends a complete stream behind its last event, terminator included. */
  end(): Buffer;
}

/** Writes answers of other vendors in a dialect. */
export interface Conversion {
  /** `others`: further answers of the same call. */
  answer(answer: Answer, facts: AnswerFacts, others?: readonly Answer[]): Buffer;
  stream(facts: AnswerFacts): EventWriter;
  /** Several answers of one call can be written. */
  readonly choices?: true;
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
  /** For form bodies, which are read while they arrive. Null: this body is no form. Absent: no body is. */
  readonly form?: (head: RequestHead) => FormReader | ReadFault | null;
  readonly errors: ErrorForm;
  /** Headers of rate limits have Anthropic's names and instants; absent: OpenAI's, and durations. */
  readonly limitsAsInstants?: true;
  /**
   * Media types that its answers can have besides JSON and server-sent events, in lower case; one with a final slash
   * stands for all its subtypes. An answer that claims another type gets the first of them. Absent: none.
   */
  readonly answerTypes?: readonly string[];
  /** Absent: calls are passed through, or translated by the provider itself. */
  readonly conversion?: Conversion;
  /** Absent: calls of this form make no embeddings. */
  readonly embeddings?: EmbeddingsWriter;
  /** Writes the answer of calls that only count the prompt tokens of a conversation, which is free. */
  readonly count?: (tokens: number) => string;
}
