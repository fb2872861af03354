import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** One request as it arrived. */
export interface Asked {
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

/** A service of a third party on loopback, which notes every request that its protocol does not allow. */
export interface Counterpart {
  readonly url: string;
  /** What was asked wrongly, since the last time this was read. */
  faults(): readonly string[];
  /** Requests to a path so far. */
  asked(path: string): number;
  close(): Promise<void>;
}

/** What is wrong with a request: it is answered as the service would, and noted. */
export class Fault extends Error {
  readonly answer: CounterpartAnswer;

  constructor(message: string, answer: CounterpartAnswer = { status: 400, body: { error: 'invalid_request' } }) {
    super(message);
    this.name = 'Fault';
    this.answer = answer;
  }
}

/** Notes a request that should not look like this. */
export const demand = (holds: boolean, message: string, answer?: CounterpartAnswer): void => {
  if (!holds) throw new Fault(message, answer);
};

type Handler = (asked: Asked) => CounterpartAnswer | Promise<CounterpartAnswer>;

/** Serves the listed calls, each named as `GET /path`; every other one is a fault. */
export const startCounterpart = async (calls: Readonly<Record<string, Handler>>): Promise<Counterpart> => {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  const answerTo = async (asked: Asked): Promise<CounterpartAnswer> => {
    counts.set(asked.path, (counts.get(asked.path) ?? 0) + 1);
    const handler = calls[`${asked.method} ${asked.path}`];
    try {
      if (handler === undefined) throw new Fault('no such call', { status: 404, body: 'Not Found' });
      return await handler(asked);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${asked.method} ${asked.path}: ${error.message}`);
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
    asked: (path) => counts.get(path) ?? 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
