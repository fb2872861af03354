import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { openAiRealtime } from '../../dialects/openai/openai-realtime.ts';
import type { HttpRequest, HttpResponse } from '../../http/plain/exchange.ts';
import { createRequestId } from '../../http/request-id.ts';
import type { BatchPerTick } from '../upstream/batch-per-tick.ts';
import { type Client, createClient } from './client.ts';
import { corsHeaders } from '../../http/cors.ts';
import { inertHeaders } from './response-headers.ts';
import type { Access } from './token-check.ts';

/** A request to change to the WebSocket protocol, as it came. */
export interface Upgrade {
  readonly request: IncomingMessage;
  /** Answers it while it is still HTTP. */
  readonly response: ServerResponse;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Of the answer: names and values in turn. */
  readonly headers: readonly string[];
}

/** What has become known of a request so far: the record of its refusal has it. */
export interface RequestFacts {
  /** Null: the key is not checked yet, or was refused. */
  access: Access | null;
  /** The client's own, behind the trusted proxies; empty: the key is not accepted yet. */
  address: string;
  /** Empty and false: the body is not read yet. */
  model: string;
  stream: boolean;
  /** Milliseconds that the call waited for a channel with room. */
  queuedMs: number;
  /** The channels that were tried. */
  readonly attempts: AttemptNote[];
}

/** One attempt, for the log's detail. */
export interface AttemptNote {
  readonly channel: number;
  /** The upstream's status; 0: it gave none. */
  readonly status: number;
  readonly ms: number;
}

/** One HTTP request to the relay, whatever its path is. */
export interface ClientRequest {
  readonly message: HttpRequest;
  readonly client: Client;
  readonly requestId: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** Unix milliseconds. */
  readonly startedMs: number;
  readonly facts: RequestFacts;
  /** Null: the path is no call of a model. */
  readonly dialect: Dialect | null;
  /** Null: the request stays HTTP. */
  readonly upgrade: Upgrade | null;
}

export interface ClientRequestOptions {
  readonly clock: { now(): number };
  readonly stalledMs: number;
  readonly batchPerTick: BatchPerTick;
  readonly message: HttpRequest;
  readonly response: HttpResponse;
  /** Null: the request stays HTTP. */
  readonly upgrade: Omit<Upgrade, 'headers'> | null;
}

/** Path and query of an address, the latter with its question mark or empty. */
export const splitAddress = (url: string): { readonly path: string; readonly query: string } => {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
};

/** The response to an upgrade request. Used only for a refusal: the connection ends with it. */
export const refusalResponse = (message: IncomingMessage): ServerResponse => {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(message.socket);
  response.on('finish', () => message.socket.destroySoon());
  return response;
};

export const openClientRequest = (options: ClientRequestOptions): ClientRequest => {
  const { clock, stalledMs, batchPerTick, message, response, upgrade } = options;
  const startedMs = clock.now();
  const requestId = createRequestId(startedMs);
  const headers = ['x-oneapi-request-id', requestId, ...inertHeaders, ...corsHeaders(message)];
  const { path: given, query } = splitAddress(message.url ?? '/');
  // A slash at the end changes nothing for calls of models; proxied paths keep theirs.
  const plain = given.endsWith('/') ? given.slice(0, -1) : given;
  const path = plain !== given && dialectOf(plain, query) !== null ? plain : given;
  return {
    message,
    client: createClient({ request: message, response, headers, stalledMs, batchPerTick }),
    requestId,
    path,
    query,
    startedMs,
    facts: { access: null, address: '', model: '', stream: false, queuedMs: 0, attempts: [] },
    dialect: upgrade === null ? dialectOf(path, query) : openAiRealtime,
    upgrade: upgrade === null ? null : { ...upgrade, headers },
  };
};
