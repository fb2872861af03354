import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { parseObject, type Json } from './json.ts';
import { objectOf, textOf } from './told.ts';

export const replicateKey = 'r8_weir0123456789';

/** One request as it arrived. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
}

/** A strict Replicate: predictions that become complete when they are asked for again, and streams of their own. */
export interface FakeReplicate {
  readonly url: string;
  /** What was asked wrongly. */
  faults(): readonly string[];
  asked(): readonly Asked[];
  /** How predictions end from now on, and after how many questions. */
  behave(ending: Json, polls?: number): void;
  /** What streams say from now on. */
  stream(events: readonly string[]): void;
  close(): Promise<void>;
}

const sse = 'text/event-stream';

/** One event of a stream: pieces are plain text. */
export const replicateEvent = (name: string, data: string): string =>
  `event: ${name}\nid: 1690212292:0\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;

/** Source: replicate.com, HTTP API reference and "Streaming output". */
export const startFakeReplicate = async (): Promise<FakeReplicate> => {
  const faults: string[] = [];
  const asked: Asked[] = [];
  const left = new Map<string, number>();
  let ending: Json = { status: 'succeeded', output: [] };
  let polls = 0;
  let events: readonly string[] = [];
  let url = '';

  const predictionOf = (id: string, isNew: boolean): Json => {
    const rest = left.get(id) ?? 0;
    left.set(id, rest - 1);
    const urls = { get: `${url}/v1/predictions/${id}`, cancel: `${url}/v1/predictions/${id}/cancel` };
    const done = rest <= 0 ? ending : { status: isNew ? 'starting' : 'processing', output: null };
    return { id, model: 'meta/x', urls: { ...urls, stream: `${url}/v1/stream/${id}` }, error: null, ...done };
  };

  const create = ({ path, headers, body }: Asked): Json => {
    const input = objectOf(body['input']);
    if (textOf(input['prompt']) === '') faults.push('input.prompt is required');
    if (path.endsWith('/v1/predictions') && textOf(body['version']) === '') faults.push('version is required');
    if ((body['stream'] === true) === (headers.prefer !== undefined)) faults.push('a stream is not waited for');
    const id = randomUUID().replaceAll('-', '');
    left.set(id, body['stream'] === true ? 1 : polls);
    return predictionOf(id, true);
  };

  const answer = (request: Asked, response: ServerResponse): void => {
    const { method, path, headers } = request;
    const tell = (status: number, body: Json) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const [, id = ''] = /^\/v1\/(?:predictions|stream)\/(\w+)$/.exec(path) ?? [];
    if (headers.authorization !== `Bearer ${replicateKey}`)
      return tell(401, {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      });
    if (method === 'POST' && /^\/v1\/(models\/[\w.-]+\/[\w.-]+\/)?predictions$/.test(path))
      return tell(201, create(request));
    if (method !== 'GET' || !left.has(id)) return tell(404, { detail: 'Not found', status: 404 });
    if (path.startsWith('/v1/predictions/')) return tell(200, predictionOf(id, false));
    if (headers.accept !== sse) faults.push('events are not accepted');
    response.writeHead(200, { 'content-type': sse });
    response.end(events.join(''));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: text === '' ? {} : parseObject(text) };
      asked.push(one);
      answer(one, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    faults: () => faults.splice(0),
    asked: () => asked,
    behave: (next, after = 0) => {
      ending = next;
      polls = after;
    },
    stream: (next) => void (events = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
