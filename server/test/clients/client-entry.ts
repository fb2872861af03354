import { isJson, parseObject } from '../parsing/json.ts';
import type { RawAnswer } from './raw-client.ts';

/** What a client recorded of one request, independently of the gateway. */
export interface ClientEntry {
  /** Travels in `user`, so that the upstream's journal names the same request. */
  readonly nonce: string;
  readonly stream: boolean;
  /** From the response header; empty: no answer began. */
  requestId: string;
  /** 0: no answer began. */
  status: number;
  bytes: number;
  /** The whole answer arrived: the body in full, or the stream with its terminator. */
  complete: boolean;
  /** What the whole events of a chat stream put out before it broke off; empty for every other answer. */
  delivered: string;
}

/** The entry of a request that has no answer yet. */
export const namelessEntry = (nonce: string, stream = false): ClientEntry => ({
  nonce,
  stream,
  requestId: '',
  status: 0,
  bytes: 0,
  complete: false,
  delivered: '',
});

const terminated = /data: ?\[DONE\]\s*$/;

const contentOf = (event: string): string => {
  const { choices } = parseObject(event.slice('data: '.length));
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = isJson(first) ? first['delta'] : undefined;
  return isJson(delta) && typeof delta['content'] === 'string' ? delta['content'] : '';
};

/** What the whole events among the bytes of a chat stream put out. */
export const deliveredIn = (stream: string): string =>
  stream
    .split('\n\n')
    .slice(0, -1)
    .filter((event) => event.startsWith('data: {'))
    .map(contentOf)
    .join('');

/** The entry of a request after its answer. */
export const clientEntryOf = (nonce: string, answer: RawAnswer): ClientEntry => {
  const { status, requestId, headers, body, text } = answer;
  const stream = String(headers['content-type']).startsWith('text/event-stream');
  const complete = answer.complete && status >= 200 && status < 300 && (!stream || terminated.test(text));
  const delivered = stream && !complete ? deliveredIn(text) : '';
  return { nonce, stream, requestId, status, bytes: body.length, complete, delivered };
};
