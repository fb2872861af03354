import { once } from 'node:events';
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { parseObject, type Json } from '../parsing/json.ts';

export interface RawRequest {
  readonly url: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Cuts the connection once so many bytes of the answer's body are here. */
  readonly cutAfterBytes?: number;
}

/** An answer as it came, byte for byte. */
export interface RawAnswer {
  /** 0: no answer began. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body arrived in full, as HTTP defines it. */
  readonly complete: boolean;
  /** From the header of the gateway; empty: no answer began. */
  readonly requestId: string;
  readonly text: string;
  /** Reading it fails the test if the body is no JSON object. */
  readonly json: Json;
  /** `error` of the body. */
  readonly error: Json;
}

/** A running call. */
export interface RawCall {
  readonly request: ClientRequest;
  /** Resolves when the call ends, successful or not. */
  readonly answer: Promise<RawAnswer>;
  /** Resolves with the head of the answer; rejects when none comes. */
  readonly response: Promise<IncomingMessage>;
  /** Bytes of the body that are here. */
  readonly received: () => number;
}

const toAnswer = (response: IncomingMessage | undefined, chunks: readonly Buffer[]): RawAnswer => {
  const body = Buffer.concat(chunks);
  const text = body.toString();
  const headers = response?.headers ?? {};
  return {
    status: response?.statusCode ?? 0,
    headers,
    body,
    complete: response?.complete ?? false,
    requestId: String(headers['x-oneapi-request-id'] ?? ''),
    text,
    get json() {
      return parseObject(text);
    },
    get error() {
      return parseObject(JSON.stringify(parseObject(text)['error']));
    },
  };
};

/** Sends a request over a connection of its own and collects the answer; nothing is decoded. */
export const startRaw = ({ url, method = 'POST', path, headers = {}, body, cutAfterBytes }: RawRequest): RawCall => {
  const chunked = headers['transfer-encoding'] === 'chunked';
  const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // The path goes out as it is: an address would resolve its dots.
  const call = request(url, { path, method, agent: false, headers: { ...length, ...headers } });
  const chunks: Buffer[] = [];
  let received = 0;
  let head: IncomingMessage | undefined;
  const response = once(call, 'response').then(([message]: IncomingMessage[]) => {
    if (message === undefined) throw new Error('no answer');
    return message;
  });
  response.catch(() => undefined);
  call.on('response', (message) => {
    head = message;
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received >= (cutAfterBytes ?? Infinity)) call.destroy();
    });
    message.on('error', () => undefined);
  });
  const answer = new Promise<RawAnswer>((resolve) => {
    call.on('error', () => undefined);
    call.on('close', () => resolve(toAnswer(head, chunks)));
  });
  call.end(body);
  return { request: call, answer, response, received: () => received };
};

/** Sends a request and waits for the end of its answer. */
export const sendRaw = (options: RawRequest): Promise<RawAnswer> => startRaw(options).answer;
