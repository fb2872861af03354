import type { Abridged } from '../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { BodyChanges } from '../conversation/body-changes.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Embedded, EmbeddingsRequest } from '../conversation/embeddings.ts';
import type { Json } from '../conversation/json.ts';
import type { Usage } from '../conversation/usage.ts';
import type { WireFormat } from '../conversation/wire-format.ts';

/** One relayed call as a provider sees it. Nothing here changes when the call is tried again on another channel. */
export interface ProviderCall {
  readonly requestId: string;
  /** The form in which the client asks. */
  readonly format: WireFormat;
  /** Inbound path without its query, as `/v1/chat/completions`. */
  readonly path: string;
  /** Inbound query with its question mark, or empty. */
  readonly query: string;
  /** The client's Content-Type and Accept; empty where it sent none. */
  readonly contentType: string;
  readonly accept: string;
  /** The other headers that the dialect lets through, as the client sent them, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model to ask for: the client's after the channel's redirection. */
  readonly model: string;
  /** The client's own. */
  readonly requestedModel: string;
  /** The channel redirects the client's model. */
  readonly redirected: boolean;
  readonly stream: boolean;
  /** The client asked for the usage chunk of a stream itself. */
  readonly includeUsage: boolean;
  /** What this gateway calls itself, for upstreams that ask who sends. */
  readonly gateway: { readonly name: string; readonly address: string };
  /** Output tokens per choice that the balance covers; null: no cap is needed. */
  readonly outputCap: number | null;
  /** When the call came, in Unix milliseconds: a provider has no clock. */
  readonly now: number;
  /** What the vendor gave for the channel's key, where the translation needs it; otherwise empty. */
  readonly credential: string;
  /** Keeps a part of a converted answer that the client may name again by its id. Absent: nothing is kept. */
  readonly keep?: (id: string, value: Json) => void;
  /** The client's body with these changes and no other. */
  body(changes: BodyChanges): Buffer;
  /** The call in neutral form, with what the channel and the balance change in it; a refusal where it is no conversation. */
  conversation(): Conversation | Refusal;
  /** The same for a codec that passes the texts of users on as they are. */
  abridged(): Abridged | Refusal;
  /** The same of a call for embeddings. */
  embeddings(): EmbeddingsRequest | Refusal;
}

/** The part of a channel that a provider needs. */
export interface ProviderChannel {
  /** The channel's address, or its type's default; null: it has none, or one that is no http(s) address. */
  readonly base: BaseUrl | null;
  readonly key: string;
  /** The channel's `other` text: for Azure the API version. */
  readonly other: string;
}

/** What a vendor gives for a key, and wants to see with every call instead of it. */
export interface Credential {
  readonly value: string;
  /** Until when it is used, in Unix milliseconds; the vendor may take it for longer. */
  readonly usableUntil: number;
}

/** How a credential is asked for. */
export interface CredentialExchange {
  /** Tells who asks where: channels whose names are equal share one. */
  readonly name: string;
  /** `now` in Unix milliseconds. Never throws. */
  request(now: number): UpstreamRequest;
  /** `now` in Unix milliseconds. Never throws. */
  read(status: number, body: Buffer, now: number): Credential | Refusal;
}

/** What a translation needs beyond a call and a channel. The relay supplies it, so that the provider stays pure. */
export interface Prerequisites {
  /** Addresses of content that must stand in the conversation by value: the vendor does not read them. */
  readonly byValue?: (address: string) => boolean;
  /** Null: this channel's key is sent as it is. */
  readonly credential?: (channel: ProviderChannel) => CredentialExchange | ChannelFault | null;
}

/** An address taken apart once, when the channel is loaded. */
export interface BaseUrl {
  /** `https://host:port`. */
  readonly origin: string;
  /** Without a trailing slash; empty at the root. */
  readonly path: string;
  /** The path ends with a version of its own, as pasted addresses often do (`…/v1`, `…/api/paas/v4`). */
  readonly versioned: boolean;
}

/** A request to send, complete but for what HTTP itself adds. */
export interface UpstreamRequest {
  /**
   * `https://host:port`; or `wss://host:port`, where the body is the first message of a WebSocket and every message that
   * comes back is one line of the answer.
   */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An upstream's failure in the client's terms. */
export interface RelayFailure {
  /** HTTP status for the client. */
  readonly status: number;
  /** The error object for the client, free of keys. */
  readonly error: ErrorObject;
  /** Whether another channel may be tried before anything reached the client. */
  readonly retryable: boolean;
  /** The upstream refuses the channel's key or account: every further call would fail too. */
  readonly refusesAccount?: true;
  /** The upstream takes the credential no longer that it gave for the key: a new one may help. */
  readonly staleCredential?: true;
}

/** OpenAI's error object; dialects write it in their own form. */
export interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | number | null;
}

/** A whole answer translated. */
export type ClientResponse =
  | {
      readonly kind: 'answer';
      readonly body: Buffer;
      /** Absent: the upstream's. */
      readonly contentType?: string;
      readonly usage: Usage | null;
      /** What the model put out, for counting where usage is missing. Built only when asked. */
      output(): string;
    }
  | { readonly kind: 'failure'; readonly failure: RelayFailure };

/**
 * Makes the bytes of an event at the moment that it is passed on; null: none. It is not called for one that is held back
 * because nothing pays for it, so that what ends the stream then fits to what the client has.
 */
export type Passing = () => Buffer | null;

/** What one upstream event means. */
export interface StreamStep {
  /** `same`: the event's own bytes go to the client; `none`: nothing does. */
  readonly forward: 'same' | 'none' | Buffer | Passing;
  /** What the model put out in this event: text, reasoning, tool arguments. */
  readonly output: string;
  /** The latest cumulative usage, where the event carries one. */
  readonly usage?: Usage;
  /** The upstream says that the stream is complete; `forward` is then the terminator, `none` the translator's own. */
  readonly done?: true;
  /** The upstream reports an error instead of content. */
  readonly failure?: RelayFailure;
}

/** Translates the events of one stream. It has a life: an attempt gets its own. */
export interface StreamTranslator {
  /** Absent: the upstream's. */
  readonly contentType?: string;
  /** `data` is the event's joined data lines, null: it has none (a comment or another field); `bytes` is all of it. */
  event(data: string | null, bytes: Buffer): StreamStep;
  /** Whether the stream may end here without a terminator: every choice has its finish reason. */
  finished(): boolean;
  /** Events that end a stream properly at a length limit, in the client's dialect; the terminator follows. */
  lengthEnd(usage: { readonly prompt: number; readonly completion: number } | null): Buffer;
  /** The terminator of a complete stream. */
  terminator(): Buffer;
}

/** What a channel lacks so that no request can be made from it. */
export interface ChannelFault {
  readonly kind: 'fault';
  readonly message: string;
}

/** What a call asks that this provider cannot do: another channel may. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly failure: RelayFailure;
}

/** How the events of a stream are told apart on the wire. */
export type Framing =
  /** Server-sent events. */
  | 'sse'
  /** One JSON value on each line. */
  | 'lines'
  /** AWS's binary messages; the data of each is an object whose one member is named as its event. */
  | 'aws';

/** What is asked next where an answer only says that the work has begun, or where it can be read. */
export interface FollowUp {
  readonly request: UpstreamRequest;
  /** Milliseconds to wait before. */
  readonly afterMs: number;
}

/** What is asked behind the body of a success status; null: that is the answer. */
export type Follow = (body: Buffer, call: ProviderCall, channel: ProviderChannel) => FollowUp | null;

/** A call that is asked in several requests, one after another. */
export interface RequestBatches {
  /** At least one. */
  split(call: ProviderCall): readonly ProviderCall[];
  /** The answers' bodies, in the order of the parts. */
  join(bodies: readonly Buffer[], call: ProviderCall): ClientResponse;
}

/**
 * How calls of one form reach an upstream and come back: a pure translator without network, database or clock,
 * repeatable on failover. Requests and failures never contain more of the channel's key than its authentication header.
 */
export interface Translation {
  /** For calls that ask for more than the vendor answers at once. Absent: every call is one request. */
  readonly batches?: RequestBatches;
  /** The calls that go this way; all others go by their neutral form. Absent: all. */
  readonly only?: (call: ProviderCall) => boolean;
  /** Absent: the first answer is the answer. */
  readonly followUp?: Follow;
  /** Whole answers come as streams too: `response` is given all of one. */
  readonly alwaysStreams?: true;
  /** Absent: `sse`. */
  readonly framing?: Framing;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  request(call: ProviderCall, channel: ProviderChannel): UpstreamRequest | ChannelFault | Refusal;
  /** A whole body of a success status. */
  response(body: Buffer, call: ProviderCall): ClientResponse;
  stream(call: ProviderCall): StreamTranslator;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** What one upstream event says, in neutral form. */
export interface ReadStep {
  readonly events: readonly StreamEvent[];
  /** The upstream says that the stream is complete. */
  readonly done?: true;
  /** The upstream reports an error instead of content. */
  readonly failure?: RelayFailure;
}

/** Reads the events of one stream. It has a life: an attempt gets its own. */
export interface EventReader {
  /** `data` and `bytes` as for `StreamTranslator`. */
  event(data: string | null, bytes: Buffer): ReadStep;
  /** Whether the stream may end here without an end mark of its own. */
  finished(): boolean;
}

/** One vendor's form of a conversation: written from the neutral form, and read back into it. As pure as a translation. */
export interface Codec {
  /** As a translation's. */
  readonly followUp?: Follow;
  /** Whole answers come as streams too: `answer` is given all of one. */
  readonly alwaysStreams?: true;
  /** Absent: `sse`. */
  readonly framing?: Framing;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  /**
   * Texts and images of users go into the request as they are, into no text within a text, and nothing but whether they
   * are empty is looked at: long ones may be left out of the conversation and put into the request behind its back.
   */
  readonly passesTexts?: true;
  request(
    conversation: Conversation,
    call: ProviderCall,
    channel: ProviderChannel,
  ): UpstreamRequest | ChannelFault | Refusal;
  /** A whole body of a success status. */
  answer(body: Buffer, call: ProviderCall): Answer | Refusal;
  events(call: ProviderCall): EventReader;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** One vendor's form of a request for embeddings. As pure as a translation. */
export interface Embedder {
  /** Texts of one request that the vendor takes; more are asked for in several. */
  textsMax(model: string): number;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  request(
    embeddings: EmbeddingsRequest,
    call: ProviderCall,
    channel: ProviderChannel,
  ): UpstreamRequest | ChannelFault | Refusal;
  /** A whole body of a success status. */
  answer(body: Buffer): Embedded | Refusal;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/**
 * What a vendor understands. A call whose form is native goes as its client wrote it; a conversation in any other form
 * goes through the neutral one; whatever is left is not served by channels of this type.
 */
export interface Provider {
  readonly native: Readonly<Partial<Record<WireFormat, Translation>>>;
  /** Absent: the vendor holds conversations in its native forms alone, or none. */
  readonly codec?: Codec;
  /** Absent: the vendor makes embeddings in its native forms alone, or none. */
  readonly embedder?: Embedder;
}
