import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** One request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CounterpartAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A third-party service on loopback that records every protocol violation. */
export interface Counterpart {
  readonly url: string;
  /** Protocol violations since the last read. */
  faults(): readonly string[];
  /** Requests to a path so far. */
  requestCount(path: string): number;
  close(): Promise<void>;
}

/** A protocol violation: it is recorded, and answered as the service would. */
export class Fault extends Error {
  readonly answer: CounterpartAnswer;

  constructor(message: string, answer: CounterpartAnswer = { status: 400, body: { error: 'invalid_request' } }) {
    super(message);
    this.name = 'Fault';
    this.answer = answer;
  }
}

/** Throws a protocol violation unless the condition holds. */
export const demand = (holds: boolean, message: string, answer?: CounterpartAnswer): void => {
  if (!holds) throw new Fault(message, answer);
};

type Handler = (request: ReceivedRequest) => CounterpartAnswer | Promise<CounterpartAnswer>;

/** Serves the listed calls, each named as `GET /path`; every other one is a fault. */
export const startCounterpart = async (calls: Readonly<Record<string, Handler>>): Promise<Counterpart> => {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  const answerTo = async (request: ReceivedRequest): Promise<CounterpartAnswer> => {
    counts.set(request.path, (counts.get(request.path) ?? 0) + 1);
    const handler = calls[`${request.method} ${request.path}`];
    try {
      if (handler === undefined) throw new Fault('no such call', { status: 404, body: 'Not Found' });
      return await handler(request);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${request.method} ${request.path}: ${error.message}`);
      return error.answer;
    }
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://counterpart');
      const { method = '', headers } = request;
      void answerTo({ method, path, query, headers, body }).then((answer) => {
        const isText = typeof answer.body === 'string';
        const type = isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
        response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    faults: () => faults.splice(0),
    requestCount: (path) => counts.get(path) ?? 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
