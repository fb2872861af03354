/** One relayed call as a provider sees it. Nothing here changes when the call is tried again on another channel. */
export interface RelayCall {
  /** Inbound path without its query, as `/v1/chat/completions`. */
  readonly path: string;
  /** Inbound query with its question mark, or empty. */
  readonly query: string;
  /** The client's Content-Type and Accept; empty where it sent none. */
  readonly contentType: string;
  readonly accept: string;
  /** The model to ask for: the client's after the channel's redirection. */
  readonly model: string;
  /** The channel redirects the client's model. */
  readonly redirected: boolean;
  readonly stream: boolean;
  /** The client asked for the usage chunk of a stream itself. */
  readonly includeUsage: boolean;
  /** What this gateway calls itself, for upstreams that ask who sends. */
  readonly gateway: { readonly name: string; readonly address: string };
  /** Output tokens per choice that the balance covers; null: no cap is needed. */
  readonly outputCap: number | null;
  /** The client's body with these changes and no other. */
  body(changes: BodyChanges): Buffer;
}

/** What a provider may have changed in a body of its own dialect. */
export interface BodyChanges {
  readonly model?: string;
  readonly includeUsage?: true;
  readonly outputLimit?: { readonly tokens: number; readonly member: 'max_tokens' | 'max_completion_tokens' };
}

/** The part of a channel that a provider needs. */
export interface ProviderChannel {
  /** The channel's address, or its type's default; null: it has none, or one that is no http(s) address. */
  readonly base: BaseUrl | null;
  readonly key: string;
  /** The channel's `other` text: for Azure the API version. */
  readonly other: string;
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
  /** `https://host:port`. */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  readonly method: 'POST' | 'GET';
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Token counts as an upstream reported them, unchecked; undefined: not reported. */
export interface ReportedUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly total: unknown;
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
}

/** OpenAI's error object. */
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
      readonly usage: ReportedUsage | null;
      /** What the model put out, for counting where usage is missing. Built only when asked. */
      output(): string;
    }
  | { readonly kind: 'failure'; readonly failure: RelayFailure };

/** What one upstream event means. */
export interface StreamStep {
  /** `same`: the event's own bytes go to the client; `none`: nothing does. */
  readonly forward: 'same' | 'none' | Buffer;
  /** What the model put out in this event: text, reasoning, tool arguments. */
  readonly output: string;
  /** The latest cumulative usage, where the event carries one. */
  readonly usage?: ReportedUsage;
  /** The upstream says that the stream is complete; `forward` is then the terminator. */
  readonly done?: true;
  /** The upstream reports an error instead of content. */
  readonly failure?: RelayFailure;
}

/** Translates the events of one stream. It has a life: an attempt gets its own. */
export interface StreamTranslator {
  /** `data` is the event's joined data lines; null: it has none (a comment or another field). */
  event(data: string | null): StreamStep;
  /** Whether the stream may end here without a terminator: every choice has its finish reason. */
  finished(): boolean;
  /** Events that end a stream properly at a length limit, in the client's dialect. */
  lengthEnd(usage: { readonly prompt: number; readonly completion: number } | null): Buffer;
  /** The terminator of a complete stream. */
  readonly terminator: Buffer;
}

/** What a channel lacks so that no request can be made from it. */
export interface ChannelFault {
  readonly kind: 'fault';
  readonly message: string;
}

/**
 * One wire format. A provider is a pure translator: no network, no database, no clock, repeatable on failover.
 * `UpstreamRequest` and failures never contain more of the channel's key than its authentication header.
 */
export interface Provider {
  request(call: RelayCall, channel: ProviderChannel): UpstreamRequest | ChannelFault;
  /** A whole body of a success status. */
  response(body: Buffer, call: RelayCall): ClientResponse;
  stream(call: RelayCall): StreamTranslator;
  /** A body of a failure status. Never throws. */
  failure(status: number, body: Buffer): RelayFailure;
}

/** A channel type whose wire format this version does not speak: its channels are never chosen. */
export interface UnsupportedProvider {
  readonly unsupported: true;
}
