import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { isJson, type Json, parseObject } from '../../parsing/json.ts';

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const closing = (server: Server, also: () => void) => async (): Promise<void> => {
  server.close();
  also();
  await once(server, 'close');
};

export interface LogReceiver {
  readonly port: number;
  /** Records in order of arrival. */
  readonly records: readonly Json[];
  /** Each request or message head: what a test wants to see of it. */
  readonly heads: readonly string[];
  /** Refuses this many deliveries from now on. */
  refuse(count: number): void;
  close(): Promise<void>;
}

/** A ClickHouse of one statement, strict about its form; a batch whose token it knows is dropped. */
export const startClickHouse = async (account: string): Promise<LogReceiver> => {
  const records: Json[] = [];
  const heads: string[] = [];
  const tokens = new Set<string>();
  let refusals = 0;
  const server = createHttpServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://clickhouse');
    const token = url.searchParams.get('insert_deduplication_token') ?? '';
    const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    text(request).then(
      (body) => {
        heads.push(token);
        const known = url.searchParams.get('query') === 'INSERT INTO weir.logs FORMAT JSONEachRow' && given === account;
        response.statusCode = known ? 200 : 403;
        if (known && refusals > 0) {
          refusals -= 1;
          response.statusCode = 503;
        } else if (known && !tokens.has(token)) {
          tokens.add(token);
          records.push(...body.trimEnd().split('\n').map(parseObject));
        }
        response.end();
      },
      () => response.destroy(),
    );
  });
  const port = await portOf(server);
  const close = closing(server, () => server.closeAllConnections());
  return { port, records, heads, refuse: (count) => void (refusals = count), close };
};

const header = /^<134>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z \S+ weir \d+ call - /;

/** A syslog server on TCP that takes only RFC 5424 with the length in front (RFC 6587). */
export const startSyslogServer = async (): Promise<LogReceiver> => {
  const records: Json[] = [];
  const heads: string[] = [];
  let refusals = 0;
  const server = createTcpServer((socket) => {
    if (refusals > 0) {
      refusals -= 1;
      socket.resetAndDestroy();
      return;
    }
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      rest = Buffer.concat([rest, piece]);
      for (;;) {
        const [, length = '', mark = ''] = /^(\d+)( )/.exec(rest.subarray(0, 12).toString('latin1')) ?? [];
        const start = length.length + mark.length;
        if (length === '' || rest.length < start + Number(length)) return;
        const message = rest.subarray(start, start + Number(length)).toString();
        rest = rest.subarray(start + Number(length));
        const [head = ''] = header.exec(message) ?? [];
        heads.push(head);
        const record: unknown = head === '' ? undefined : JSON.parse(message.slice(head.length));
        if (isJson(record)) records.push(record);
      }
    });
  });
  const port = await portOf(server);
  const close = closing(server, () => undefined);
  return { port, records, heads, refuse: (count) => void (refusals = count), close };
};
