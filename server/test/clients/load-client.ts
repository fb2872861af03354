import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { type ClientEntry, deliveredIn, namelessEntry } from './client-entry.ts';

export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Streams kept open at once; a finished one is followed by the next. */
  readonly streams: number;
  /** Plain requests started each second. */
  readonly plainPerSecond: number;
  /** Names this load in its nonces. */
  readonly label: string;
}

/** A running load. */
export interface Load {
  /** Requests answered in full by now. */
  complete(): number;
  /** Starts no more requests, cuts the running ones and resolves to the entries of all clients. */
  stop(): Promise<readonly ClientEntry[]>;
}

interface Sent {
  readonly entry: ClientEntry;
  readonly done: Promise<void>;
  readonly request: ClientRequest;
}

const terminator = 'data: [DONE]\n\n';

const send = ({ url, key, model }: LoadOptions, nonce: string, stream: boolean): Sent => {
  const entry = namelessEntry(nonce, stream);
  const body = JSON.stringify({
    model,
    stream,
    user: nonce,
    messages: [{ role: 'user', content: `Say something about ${nonce} .` }],
  });
  const call = request(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const chunks: Buffer[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const end = (response: IncomingMessage | undefined) => {
    const text = stream ? Buffer.concat(chunks).toString() : '';
    entry.complete = stream ? text.endsWith(terminator) : response?.complete === true && entry.status === 200;
    if (!entry.complete) entry.delivered = deliveredIn(text);
    resolve();
  };
  let head: IncomingMessage | undefined;
  call.on('error', () => undefined);
  call.on('close', () => {
    if (head === undefined || head.closed) end(head);
    else head.once('close', () => end(head));
  });
  call.on('response', (response) => {
    head = response;
    entry.status = response.statusCode ?? 0;
    entry.requestId = String(response.headers['x-oneapi-request-id'] ?? '');
    response.on('error', () => undefined);
    response.on('data', (chunk: Buffer) => {
      entry.bytes += chunk.length;
      if (stream) chunks.push(chunk);
    });
  });
  call.end(body);
  return { entry, done, request: call };
};

/** Starts streams and plain requests against a gateway until it is stopped. */
export const startLoad = (options: LoadOptions): Load => {
  const entries: ClientEntry[] = [];
  const running = new Set<Sent>();
  let stopped = false;
  let count = 0;

  const launch = (stream: boolean): void => {
    count += 1;
    const sent = send(options, `${options.label}-${count}`, stream);
    entries.push(sent.entry);
    running.add(sent);
    void sent.done.then(() => {
      running.delete(sent);
      // A stopped gateway refuses at once: wait before the next try.
      if (stream && !stopped) setTimeout(() => stopped || launch(true), sent.entry.status === 0 ? 20 : 0);
    });
  };
  for (let index = 0; index < options.streams; index += 1) launch(true);
  const timer = setInterval(() => launch(false), 1000 / options.plainPerSecond);

  return {
    complete: () => entries.filter(({ complete }) => complete).length,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      const last = [...running];
      for (const sent of last) sent.request.destroy();
      await Promise.all(last.map((sent) => sent.done));
      return entries;
    },
  };
};
