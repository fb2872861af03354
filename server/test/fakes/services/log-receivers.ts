import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
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

/** Where objects are kept by name. */
export interface ObjectStore extends LogReceiver {
  readonly objects: ReadonlyMap<string, readonly Json[]>;
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** The signature that S3 expects of a PUT without a query (AWS Signature Version 4, "Authenticating Requests"). */
const expectedSignature = ({ method, url, headers }: IncomingMessage, secret: string, scope: string): string => {
  const time = String(headers['x-amz-date']);
  const digest = String(headers['x-amz-content-sha256']);
  const signed = `host:${headers.host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`;
  const canonical = `${method}\n${url}\n\n${signed}\nhost;x-amz-content-sha256;x-amz-date\n${digest}`;
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
};

/** A store of objects with S3's protocol in the region `eu-test-1`: it takes objects that are signed, and nothing else. */
export const startObjectStore = async (secret: string): Promise<ObjectStore> => {
  const objects = new Map<string, readonly Json[]>();
  const heads: string[] = [];
  let refusals = 0;
  const isSigned = (request: IncomingMessage, body: Buffer): boolean => {
    const { headers } = request;
    const scope = `${String(headers['x-amz-date']).slice(0, 8)}/eu-test-1/s3/aws4_request`;
    const [, given = ''] = / Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? [];
    return (
      headers['x-amz-content-sha256'] === sha256(body) &&
      (headers.authorization ?? '').startsWith(`AWS4-HMAC-SHA256 Credential=KEYID/${scope}, `) &&
      given === expectedSignature(request, secret, scope)
    );
  };
  const server = createHttpServer((request, response) => {
    buffer(request).then(
      (body) => {
        const { method, url = '', headers } = request;
        heads.push(`${method} ${url} ${headers['content-type']}`);
        const error = (status: number, code: string) => {
          response.statusCode = status;
          response.end(`<Error><Code>${code}</Code><AWSAccessKeyId>KEYID</AWSAccessKeyId></Error>`);
        };
        if (method !== 'PUT' || !url.startsWith('/bucket/')) return error(405, 'MethodNotAllowed');
        if (!isSigned(request, body)) return error(403, 'SignatureDoesNotMatch');
        // As a store that is cut off behind the write: the object is there, its writer does not know.
        objects.set(decodeURIComponent(url), gunzipSync(body).toString().trimEnd().split('\n').map(parseObject));
        if (refusals-- > 0) return error(503, 'SlowDown');
        response.end();
      },
      () => response.destroy(),
    );
  });
  const port = await portOf(server);
  const close = closing(server, () => server.closeAllConnections());
  return {
    port,
    objects,
    get records() {
      return [...objects.values()].flat();
    },
    heads,
    refuse: (count) => void (refusals = count),
    close,
  };
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
