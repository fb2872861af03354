import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** One call to a service that the operator named. */
export interface OutboundCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** JSON that is sent byte for byte, as where it is signed. */
  readonly jsonText?: string;
  /** JSON objects on lines of their own. */
  readonly jsonLines?: string;
  /** Sent as they are; their type is among the headers. */
  readonly bytes?: Buffer;
  /** Sent as a form instead. */
  readonly form?: Readonly<Record<string, string>>;
  /** The longest answer that is read; absent: 256 KiB. */
  readonly answerMaxBytes?: number;
  /** Milliseconds for the whole call; absent: those of all calls. */
  readonly timeoutMs?: number;
}

/** A whole answer, whatever its status. A redirect is an answer too: it is never followed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly text: string;
}

/** Calls external services. Rejects with `OutboundError` where there is no whole answer. */
export type Outbound = (call: OutboundCall) => Promise<OutboundAnswer>;

/**
 * No answer, one that took too long or was too long, or an address that must not be reached. It names no header and no
 * body.
 */
export class OutboundError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
  }
}

export interface OutboundDeps {
  /** Decides by resolved address which hosts may be reached. */
  readonly guard: { allows(address: string): boolean; readonly lookup: LookupFunction };
  /** Milliseconds for the whole call; absent: the limit of wire contract §5. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 5000;
const defaultAnswerMaxBytes = 256 * 1024;

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const contentOf = ({ json, jsonText, jsonLines, bytes, form }: OutboundCall): Content => {
  if (bytes !== undefined) return { headers: {}, body: bytes };
  if (jsonLines !== undefined) return { headers: { 'content-type': 'application/x-ndjson' }, body: jsonLines };
  if (form !== undefined) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  if (json === undefined && jsonText === undefined) return { headers: {}, body: undefined };
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { headers, body: jsonText ?? JSON.stringify(json) };
};

const readAll = async (response: IncomingMessage, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const pieces: AsyncIterable<Buffer> = response;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxBytes) throw new OutboundError('the response is too long');
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const answerTo = (url: URL, options: RequestOptions, body: Content['body']): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestTls : requestPlain;
    const request = send(url, options, resolve);
    request.on('error', reject);
    request.end(body);
  });

const targetOf = (text: string, { guard }: OutboundDeps): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new OutboundError('not an http or https address');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A literal address is never looked up, so it is checked here.
  if (isIP(host) !== 0 && !guard.allows(host)) throw new OutboundError(`the address ${host} is not allowed`);
  return url;
};

export const createOutbound = (deps: OutboundDeps): Outbound => {
  const { guard, timeoutMs = defaultTimeoutMs } = deps;
  return async (call) => {
    const url = targetOf(call.url, deps);
    const { headers, body } = contentOf(call);
    const options: RequestOptions = {
      method: call.method,
      headers: {
        accept: 'application/json',
        // GitHub refuses calls without one.
        'user-agent': 'weir',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...call.headers,
      },
      agent: false,
      lookup: guard.lookup,
      signal: AbortSignal.timeout(call.timeoutMs ?? timeoutMs),
    };
    try {
      const response = await answerTo(url, options, body);
      const text = await readAll(response, call.answerMaxBytes ?? defaultAnswerMaxBytes);
      return { status: response.statusCode ?? 0, text };
    } catch (error) {
      throw error instanceof OutboundError ? error : new OutboundError(`no response from ${url.host}`, error);
    }
  };
};
