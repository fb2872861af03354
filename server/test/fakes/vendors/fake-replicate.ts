import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { parseObject, type Json, objectOf, textOf } from '../../parsing/json.ts';

export const replicateKey = 'r8_weir0123456789';

/** One request as it arrived. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
}

/** A strict Replicate: predictions complete after further requests for them. */
export interface FakeReplicate {
  readonly url: string;
  /** Protocol violations. */
  faults(): readonly string[];
  requests(): readonly ReceivedRequest[];
  /** How predictions end from now on, and after how many requests for them. */
  behave(ending: Json, polls?: number): void;
  close(): Promise<void>;
}

/** What is wrong with a request for a prediction; undefined: nothing. Whole ones are waited for, streams are not. */
export const creationFault = (path: string, prefer: unknown, body: Json): string | undefined => {
  if (textOf(objectOf(body['input'])['prompt']) === '') return '- input: prompt is required';
  if (path.endsWith('/v1/predictions') && textOf(body['version']) === '') return '- version is required';
  return (body['stream'] === true) === (prefer !== undefined) ? '- a stream is not waited for' : undefined;
};

/** A prediction before and after it ended. */
export const replicatePrediction = (origin: string, id: string, state: Json): Json => {
  const get = `${origin}/v1/predictions/${id}`;
  const urls = { get, cancel: `${get}/cancel`, stream: `${origin}/v1/stream/${id}` };
  return { id, model: 'meta/x', urls, error: null, ...state };
};

/** Source: replicate.com, HTTP API reference. */
export const startFakeReplicate = async (): Promise<FakeReplicate> => {
  const faults: string[] = [];
  const requests: ReceivedRequest[] = [];
  const left = new Map<string, number>();
  let ending: Json = { status: 'succeeded', output: [] };
  let polls = 0;
  let url = '';

  const predictionOf = (id: string, isNew: boolean): Json => {
    const rest = left.get(id) ?? 0;
    left.set(id, rest - 1);
    const done = rest <= 0 ? ending : { status: isNew ? 'starting' : 'processing', output: null };
    return replicatePrediction(url, id, done);
  };

  const create = ({ path, headers, body }: ReceivedRequest): Json => {
    const fault = creationFault(path, headers.prefer, body);
    if (fault !== undefined) faults.push(fault);
    const id = randomUUID().replaceAll('-', '');
    left.set(id, polls);
    return predictionOf(id, true);
  };

  const answer = (request: ReceivedRequest, response: ServerResponse): void => {
    const { method, path, headers } = request;
    const tell = (status: number, body: Json) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const [, id = ''] = /^\/v1\/predictions\/(\w+)$/.exec(path) ?? [];
    if (headers.authorization !== `Bearer ${replicateKey}`)
      return tell(401, {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      });
    if (method === 'POST' && /^\/v1\/(models\/[\w.-]+\/[\w.-]+\/)?predictions$/.test(path))
      return tell(201, create(request));
    if (method !== 'GET' || !left.has(id)) return tell(404, { detail: 'Not found', status: 404 });
    return tell(200, predictionOf(id, false));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: text === '' ? {} : parseObject(text) };
      requests.push(one);
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
    requests: () => requests,
    behave: (next, after = 0) => {
      ending = next;
      polls = after;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
