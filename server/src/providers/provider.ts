import type { Abridged } from '../conversation/abridged.ts';
import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { BodyChanges } from '../conversation/body-changes.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Embedded, EmbeddingsRequest } from '../conversation/embeddings.ts';
import type { Json } from '../conversation/json.ts';
import type { Usage } from '../conversation/usage.ts';
import type { WireFormat } from '../conversation/wire-format.ts';

/** One relayed call as a provider sees it. Model, redirection, cap and credential belong to the attempt. */
export interface ProviderCall {
  readonly requestId: string;
  /** The format of the client's request. */
  readonly format: WireFormat;
  /** Inbound path without its query, such as `/v1/chat/completions`. */
  readonly path: string;
  /** Inbound query with its question mark, or empty. */
  readonly query: string;
  /** The client's Content-Type and Accept; empty when it sent none. */
  readonly contentType: string;
  readonly accept: string;
  /** The other client headers that the dialect forwards, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model to request: the client's after the channel's redirection. */
  readonly model: string;
  /** The model that the client requested. */
  readonly requestedModel: string;
  /** The channel redirects the client's model. */
  readonly redirected: boolean;
  readonly stream: boolean;
  /** The client itself requested the usage chunk of a stream. */
  readonly includeUsage: boolean;
  /** This gateway's name and address, for upstreams that require the sender. */
  readonly gateway: { readonly name: string; readonly address: string };
  /** How many answers the client requests. */
  readonly choices: number;
  /** Output tokens per choice that the balance covers; null: no cap is needed. */
  readonly outputCap: number | null;
  /** Tokens of the longest completion of the model at this vendor; null: not known. Absent: nothing is. */
  readonly outputMax?: () => number | null;
  /** When the call arrived, in Unix milliseconds: a provider has no clock. */
  readonly now: number;
  /** The credential that the vendor issued for the channel's key, where the translation requires one; otherwise empty. */
  readonly credential: string;
  /** Stores an item of a converted answer that the client may refer to by its id. Absent: nothing is stored. */
  readonly keep?: (id: string, value: Json) => void;
  /** Reports ids that the answer gives its client for things that the upstream keeps. Absent: nothing is noted. */
  readonly given?: (ids: readonly string[]) => void;
  /** The client's body with these changes and no others. */
  body(changes: BodyChanges): Buffer;
  /** The call in neutral form, with the changes of the channel and the balance; a refusal when it is no conversation. */
  conversation(): Conversation | Refusal;
  /** The same for a codec that passes user texts on unchanged. */
  abridged(): Abridged | Refusal;
  /** The same for an embeddings call. */
  embeddings(): EmbeddingsRequest | Refusal;
}

/** The part of a channel that a provider needs. */
export interface ProviderChannel {
  /** The channel's base URL, or its vendor's; null: absent, or not an http(s) URL. */
  readonly base: BaseUrl | null;
  readonly key: string;
  /** The channel's `other` text; its meaning is in the vendor's row. */
  readonly other: string;
  /** A text of the channel's `config`, where other gateways keep parts of keys; empty: it has none. Absent: nothing has. */
  readonly setting?: (name: string) => string;
}

/** A credential that a vendor issues for a key, and that every call carries instead of the key. */
export interface Credential {
  readonly value: string;
  /** When this gateway stops using it, in Unix milliseconds; the vendor may accept it for longer. */
  readonly usableUntil: number;
}

/** How a credential is requested. */
export interface CredentialExchange {
  /** Identifies account and host: channels with equal names share one credential. */
  readonly name: string;
  /** `now` in Unix milliseconds. Never throws. */
  request(now: number): UpstreamRequest;
  /** `now` in Unix milliseconds. Never throws. */
  read(status: number, body: Buffer, now: number): Credential | Refusal;
}

/** What a translation requires beyond a call and a channel. The relay supplies it, so that the provider stays pure. */
export interface Prerequisites {
  /** Whether the content at an address must be sent by value, as the vendor does not fetch it. */
  readonly byValue?: (address: string) => boolean;
  /** Null: this channel's key is sent as it is. */
  readonly credential?: (channel: ProviderChannel) => CredentialExchange | ChannelFault | null;
}

/** A base URL, parsed once when the channel is loaded. */
export interface BaseUrl {
  /** `https://host:port`. */
  readonly origin: string;
  /** Without a trailing slash; empty at the root. */
  readonly path: string;
  /** The path ends with a version, as pasted base URLs often do (`…/v1`, `…/api/paas/v4`). */
  readonly versioned: boolean;
}

/** A request to send, complete except for what HTTP itself adds. */
export interface UpstreamRequest {
  /**
   * `https://host:port`; or `wss://host:port`: the body is then the first message of a WebSocket, and each received
   * message is one line of the answer.
   */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An upstream's failure in the client's terms. */
export interface RelayFailure {
  /** HTTP status for the client. */
  readonly status: number;
  /** The error object for the client, without keys. */
  readonly error: ErrorObject;
  /** Whether another channel may be tried if nothing reached the client yet. */
  readonly retryable: boolean;
  /** The upstream rejects the channel's key or account: further calls would fail too. */
  readonly refusesAccount?: true;
  /** The words of the upstream's message that say so, which may be a quotation. Absent: a status, type or code says so. */
  readonly refusingWords?: string;
  /** The upstream's message repeats text of the request, and says nothing reliable about the channel. */
  readonly quotesRequest?: true;
  /** Seconds after which the upstream takes further calls, where its body says so. */
  readonly retryAfter?: number;
  /** The upstream no longer accepts the credential that it issued for the key: a new one may help. */
  readonly staleCredential?: true;
}

/** OpenAI's error object; each dialect writes it in its own format. */
export interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | number | null;
}

/** A translated whole answer. */
export type ClientResponse =
  | {
      readonly kind: 'answer';
      readonly body: Buffer;
      /** Absent: the upstream's. */
      readonly contentType?: string;
      readonly usage: Usage | null;
      /** The output text, to count tokens when usage is missing. Built only when called. */
      output(): string;
      /** The body with the usage that was counted here, as the upstream reported none. Absent: it has no place for it. */
      withUsage?(usage: CountedUsage): Buffer;
    }
  | { readonly kind: 'failure'; readonly failure: RelayFailure };

/**
 * Builds the bytes of an event when it is forwarded; null: none. It is not called for an event that the balance does not
 * cover, so that the end of the stream matches what the client received.
 */
export type DeferredBytes = () => Buffer | null;

/** What one upstream event means. */
export interface StreamStep {
  /** `same`: the event's own bytes go to the client; `none`: nothing does. */
  readonly forward: 'same' | 'none' | Buffer | DeferredBytes;
  /** The output text of this event: text, reasoning, tool arguments. */
  readonly output: string;
  /** The latest cumulative usage, if the event has it. */
  readonly usage?: Usage;
  /** The event belongs in front of the content and has none: without it another channel's answer can still replace this one. */
  readonly opening?: true;
  /** The upstream ended the stream; `forward` is then the terminator, `none` means the translator's own. */
  readonly done?: true;
  /** The upstream reports an error instead of content. */
  readonly failure?: RelayFailure;
}

/** Tokens that were counted here. */
export interface CountedUsage {
  readonly prompt: number;
  readonly completion: number;
}

/** Translates the events of one stream. Stateful: one for each attempt. */
export interface StreamTranslator {
  /** Absent: the upstream's. */
  readonly contentType?: string;
  /** `data`: the event's joined data lines, null: none (a comment or another field); `bytes`: the whole event. */
  event(data: string | null, bytes: Buffer): StreamStep;
  /** Whether the stream may end here without a terminator: every choice has its finish reason. */
  finished(): boolean;
  /** Takes the usage that was counted here, as the upstream reported none; returns what goes before the terminator for it. */
  counted?(usage: CountedUsage): Buffer | null;
  /** Events that end a stream at a length limit, in the client's dialect; the terminator follows. */
  lengthEnd(usage: CountedUsage | null): Buffer;
  /** The terminator of a complete stream. */
  terminator(): Buffer;
}

/** Why no request can be built from a channel's settings. */
export interface ChannelFault {
  readonly kind: 'fault';
  readonly message: string;
}

/** A request that this provider cannot serve; another channel may. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly failure: RelayFailure;
}

/** How the events of a stream are separated on the wire. */
export type Framing =
  /** Server-sent events. */
  | 'sse'
  /** One JSON value on each line. */
  | 'lines'
  /** AWS's binary messages; the data of each is an object with one member, named after the event. */
  | 'aws';

/** The next request, where an answer only says that work has started or where the result can be read. */
export interface FollowUp {
  readonly request: UpstreamRequest;
  /** Milliseconds to wait before sending it. */
  readonly afterMs: number;
}

/** The request that follows a body of a success status; null: that body is the answer. */
export type Follow = (body: Buffer, call: ProviderCall, channel: ProviderChannel) => FollowUp | null;

/** A call that is sent as several requests, one after another. */
export interface RequestBatches {
  /** At least one. */
  split(call: ProviderCall): readonly ProviderCall[];
  /** Merges the bodies of the answers, in the order of the requests. */
  join(bodies: readonly Buffer[], call: ProviderCall): ClientResponse;
}

/**
 * How calls of one format are sent to an upstream and read back: a pure translator without network, database or clock,
 * repeatable on failover. Requests contain the channel's key only in the authentication header, failures never do.
 */
export interface Translation {
  /** For calls that exceed what the vendor answers in one request. Absent: every call is one request. */
  readonly batches?: RequestBatches;
  /** The calls that use this translation; all others are converted through the neutral form. Absent: all. */
  readonly only?: (call: ProviderCall) => boolean;
  /** Absent: the first answer is the answer. */
  readonly followUp?: Follow;
  /** Whole answers are streamed too: `response` receives the complete stream. */
  readonly alwaysStreams?: true;
  /** Reads a complete stream that came although none was requested. Absent: it reaches the client as a stream. */
  readonly collected?: (body: Buffer, call: ProviderCall) => ClientResponse;
  /** Absent: `sse`. */
  readonly framing?: Framing;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  request(call: ProviderCall, channel: ProviderChannel): UpstreamRequest | ChannelFault | Refusal;
  /** Reads a whole body of a success status. */
  response(body: Buffer, call: ProviderCall): ClientResponse;
  stream(call: ProviderCall): StreamTranslator;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** One upstream event in neutral form. */
export interface ReadStep {
  readonly events: readonly StreamEvent[];
  /** The upstream ended the stream. */
  readonly done?: true;
  /** The upstream reports an error instead of content. */
  readonly failure?: RelayFailure;
}

/** Reads the events of one stream. Stateful: one for each attempt. */
export interface EventReader {
  /** `data` and `bytes` as for `StreamTranslator`. */
  event(data: string | null, bytes: Buffer): ReadStep;
  /** Whether the stream may end here without a terminator. */
  finished(): boolean;
}

/** Where a vendor's answers have several choices. */
export interface Choices {
  readonly max: number;
  /** A whole answer or an event with this choice alone, from 0; null: it has none of it. The first has the usage. */
  only(body: Json, index: number): Json | null;
}

/** One vendor's format of a conversation, written from the neutral form and read back into it. Pure, as a translation is. */
export interface Codec {
  /** As in a translation. */
  readonly followUp?: Follow;
  /** Whole answers are streamed too: `answer` receives the complete stream. */
  readonly alwaysStreams?: true;
  /** Absent: `sse`. */
  readonly framing?: Framing;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  /**
   * User texts and images go into the request unchanged, and never inside another string; the codec only checks whether
   * they are empty. The relay may then keep long ones out of the conversation and insert them into the finished request.
   */
  readonly passesTexts?: true;
  /** Absent: one answer for each request. */
  readonly choices?: Choices;
  request(
    conversation: Conversation,
    call: ProviderCall,
    channel: ProviderChannel,
  ): UpstreamRequest | ChannelFault | Refusal;
  /** Reads a whole body of a success status. */
  answer(body: Buffer, call: ProviderCall): Answer | Refusal;
  events(call: ProviderCall): EventReader;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** One vendor's format of an embeddings request. Pure, as a translation is. */
export interface Embedder {
  /** The maximum number of texts in one request; more are sent as several requests. */
  textsMax(model: string): number;
  /** Absent: nothing. */
  readonly prerequisites?: Prerequisites;
  request(
    embeddings: EmbeddingsRequest,
    call: ProviderCall,
    channel: ProviderChannel,
  ): UpstreamRequest | ChannelFault | Refusal;
  /** Reads a whole body of a success status. */
  answer(body: Buffer): Embedded | Refusal;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** One page of a vendor's list of models. */
export interface ListPage {
  /** What the page before named as the next; empty: the first. */
  readonly cursor: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** As of a call. */
  readonly credential: string;
}

export interface ModelPage {
  /** Names as calls have them. */
  readonly names: readonly string[];
  /** The cursor of the next page; empty: this is the last. */
  readonly next: string;
}

/** How a vendor lists the models of a key. Pure, as a translation is. */
export interface ModelListing {
  /** Absent: the channel's key is sent as it is. */
  readonly credential?: NonNullable<Prerequisites['credential']>;
  request(channel: ProviderChannel, page: ListPage): UpstreamRequest | ChannelFault;
  /** Reads the JSON of a success status; null: it is no such list. */
  read(body: unknown, page: ListPage, channel: ProviderChannel): ModelPage | null;
}

/**
 * The formats that a vendor supports. A call in a native format is passed through; a conversation in any other format is
 * converted through the neutral form; everything else is not served by channels of this type.
 */
export interface Provider {
  readonly native: Readonly<Partial<Record<WireFormat, Translation>>>;
  /** Absent: the vendor takes conversations only in its native formats, or not at all. */
  readonly codec?: Codec;
  /** Absent: the vendor takes embeddings calls only in its native formats, or not at all. */
  readonly embedder?: Embedder;
  /** Absent: the vendor has no list of its models. */
  readonly models?: ModelListing;
}
