import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Behaviour, FakeUpstream } from '../fake-upstream.ts';
import { type ParsedRequest, type ChatFault, fault, parse } from '../fake-upstream-check.ts';
import { openJournal, type UpstreamEntry } from '../fake-upstream-journal.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';

/** Which domain each address serves, and whether it takes system messages and functions (provider notes 12.1). */
const domains = new Map([
  ['/v1.1/chat', { domain: 'lite', takesTools: false }],
  ['/v3.5/chat', { domain: 'generalv3.5', takesTools: true }],
]);

/** `APPID|APISecret|APIKey`. */
const key = 'appweir|secret-weir|key-weir';
const [appId, apiSecret, apiKey] = key.split('|');

const authorization =
  /^api_key="([^"]*)", algorithm="hmac-sha256", headers="host date request-line", signature="([^"]*)"$/;

/** Recomputes the signature of the upgrade request. Source: iFlytek, "general URL authentication". */
const signatureFault = ({ url = '', headers, method }: IncomingMessage): string | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://fake');
  const given = Buffer.from(searchParams.get('authorization') ?? '', 'base64').toString();
  const [, named, signature] = authorization.exec(given) ?? [];
  const [host, date] = [searchParams.get('host') ?? '', searchParams.get('date') ?? ''];
  if (host !== headers.host || named !== apiKey) return 'HMAC signature cannot be verified';
  if (!(Math.abs(Date.now() - Date.parse(date)) < 300_000))
    return 'HMAC signature cannot be verified, a valid date is required';
  const signed = `host: ${host}\ndate: ${date}\n${method} ${pathname} HTTP/1.1`;
  const expected = createHmac('sha256', apiSecret ?? '')
    .update(signed)
    .digest('base64');
  return signature === expected ? undefined : 'HMAC signature does not match';
};

const isFunction = ({ name, description, parameters }: Json): boolean =>
  /^[\w-]+$/.test(textOf(name)) && typeof description === 'string' && objectOf(parameters)['type'] === 'object';

const frameFault = (frame: Json, path: string): string | undefined => {
  const served = domains.get(path);
  const chat = objectOf(objectOf(frame['parameter'])['chat']);
  const { message, functions } = objectOf(frame['payload']);
  const texts = listOf(objectOf(message)['text']);
  const offered = listOf(objectOf(functions)['text']);
  const { temperature, top_k: topK, max_tokens: limit } = chat;
  if (objectOf(frame['header'])['app_id'] !== appId) return 'app_id is not that of the key';
  if (served === undefined || chat['domain'] !== served.domain) return 'the domain does not match the address';
  if (texts.length === 0 || texts.some(({ role, content }) => textOf(role) === '' || textOf(content) === ''))
    return 'payload.message.text is invalid';
  const roles = texts.map(({ role }) => textOf(role));
  if (roles.slice(1).includes('system') || (!served.takesTools && roles[0] === 'system'))
    return 'the role system is not taken here';
  if (roles.some((role) => !['system', 'user', 'assistant'].includes(role))) return 'unknown role';
  if (functions !== undefined && (!served.takesTools || !offered.every(isFunction))) return 'functions are not taken';
  if (temperature !== undefined && !(Number(temperature) > 0 && Number(temperature) <= 1))
    return 'temperature is out of (0, 1]';
  if (topK !== undefined && !(Number(topK) >= 1 && Number(topK) <= 6)) return 'top_k is out of [1, 6]';
  return limit === undefined || Number(limit) >= 1 ? undefined : 'max_tokens is out of range';
};

const checkFrame = (text: Buffer, path: string): ParsedRequest | ChatFault => {
  const frame = parse(text);
  if (!isJson(frame)) return fault('the frame is not JSON', 200, '10003');
  const wrong = frameFault(frame, path);
  const { domain } = objectOf(objectOf(frame['parameter'])['chat']);
  return wrong === undefined
    ? { model: textOf(domain), stream: true, includeUsage: true, maxTokens: null, prompt: '', nonce: '' }
    : fault(wrong, 200, '10005');
};

const header = (code: number, message: string, status: number) => ({ code, message, sid: 'cht-1', status });

/** One frame of an answer; `status` 2 is the last. */
export const sparkFrame = (status: 0 | 1 | 2, seq: number, text: object, usage?: object): string =>
  JSON.stringify({
    header: header(0, 'Success', status),
    payload: {
      choices: { status, seq, text: [{ content: '', role: 'assistant', index: 0, ...text }] },
      ...(usage && { usage: { text: usage } }),
    },
  });

/** A frame that reports a failure. */
export const sparkFailureFrame = (code: number, message: string): string =>
  JSON.stringify({ header: header(code, message, 2) });

const sendIn = (socket: WebSocket, data: string | Buffer, last: boolean): Promise<void> =>
  new Promise((resolve) => socket.send(data, { fin: last, binary: false }, () => resolve()));

/** Sends a frame as one message, optionally in fragments of this many bytes. */
const sendFrame = async (socket: WebSocket, frame: string, pieceBytes: number | undefined): Promise<void> => {
  const bytes = Buffer.from(frame);
  const size = pieceBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size)
    await sendIn(socket, bytes.subarray(at, at + size), at + size >= bytes.length);
};

/** Sends the frames; a connection that is cut breaks behind so many bytes of them, one that ends early closes well. */
const answer = async (socket: WebSocket, behaviour: Behaviour, entry: UpstreamEntry): Promise<void> => {
  const frames = (behaviour.events ?? [behaviour.body ?? '']).map(String).flatMap((text) => text.split('\n'));
  for (const frame of frames.slice(0, behaviour.endAfterEvents ?? frames.length)) {
    if (entry.bytesSent + Buffer.byteLength(frame) > (behaviour.cutAfterBytes ?? Infinity)) break;
    await sendFrame(socket, frame, behaviour.pieceBytes);
    entry.bytesSent += Buffer.byteLength(frame);
    entry.eventsSent += 1;
  }
  if (behaviour.cutAfterBytes !== undefined) {
    await sleep(5);
    socket.terminate();
    return;
  }
  entry.completed = true;
  socket.close(1000);
};

const unknown: ParsedRequest = { model: '', stream: true, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };

/** Spark's WebSocket (provider notes 12.1, 17.2 and 21): one request frame, then answer frames. */
export const startFakeSpark = async (): Promise<FakeUpstream> => {
  const journal = openJournal(undefined);
  const sockets = new WebSocketServer({ noServer: true });
  let decide: (request: ParsedRequest) => Behaviour | undefined = () => undefined;

  const serve = async (socket: WebSocket, request: IncomingMessage, behaviour: Behaviour): Promise<void> => {
    const frame = await new Promise<Buffer>((resolve) => {
      socket.once('message', (data) => resolve(Buffer.isBuffer(data) ? data : Buffer.alloc(0)));
    });
    const { pathname } = new URL(request.url ?? '', 'http://fake');
    const parsed = checkFrame(frame, pathname);
    const entry = journal.received(request, frame, parsed);
    const { usage: _, ...reply } = behaviour;
    const refused = 'fault' in parsed ? { events: [sparkFailureFrame(Number(parsed.code), parsed.fault)] } : reply;
    await answer(socket, refused, entry);
    journal.answered(entry, 200);
  };

  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', (request, connection, head) => {
    const wrong = signatureFault(request);
    const behaviour = decide(unknown) ?? {};
    const { status = 200, body = JSON.stringify({ message: wrong }) } =
      wrong === undefined ? behaviour : { status: 401 };
    if (status < 300) {
      sockets.handleUpgrade(request, connection, head, (socket) => {
        serve(socket, request, behaviour).catch(() => socket.terminate());
      });
      return;
    }
    const length = Buffer.byteLength(body);
    const lines = [
      `HTTP/1.1 ${status} Refused`,
      'content-type: application/json',
      `content-length: ${length}`,
      'connection: close',
    ];
    connection.end(`${lines.join('\r\n')}\r\n\r\n${String(body)}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    key,
    journal: journal.entries,
    behave: (next) => (decide = next),
    running: () => sockets.clients.size,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      journal.close();
    },
  };
};
