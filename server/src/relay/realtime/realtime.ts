import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../../http/plain/exchange.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { FailedAttempt } from '../call/attempt-result.ts';
import type { AttemptTarget } from '../call/provider-call.ts';
import { runAttempt } from '../call/run-attempt.ts';
import type { RelayedCall } from '../call/relayed-call.ts';
import type { OpenSocket } from './message.ts';
import { RealtimeSession } from './realtime-session.ts';
import type { Upgrade } from '../client/client-request.ts';
import { ClientGoneError } from '../client/request-body.ts';
import { runCall } from '../call/run-call.ts';
import type { Sessions } from './sessions.ts';
import type { AttemptBilling } from '../call/settlement.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';

/** The path of sessions; only a WebSocket can ask for it. */
export const realtimePath = '/v1/realtime';

/** The longest message that the vendor accepts. */
const messageMax = 15 * 1024 * 1024;
const protocol = 'realtime';
const betaProtocol = 'openai-beta.realtime-v1';

const protocolsOf = ({ headers }: Pick<HttpRequest, 'headers'>): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());

/** Browsers announce the beta by a protocol, other clients by a header. */
export const betaHeader = (request: Pick<HttpRequest, 'headers'>): Readonly<Record<string, string>> =>
  protocolsOf(request).includes(betaProtocol) ? { 'openai-beta': 'realtime=v1' } : {};

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: messageMax,
  perMessageDeflate: false,
  handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
});

/** Changes the connection of the client to the WebSocket protocol; its messages wait. */
const accept = ({ request, response, socket, head, headers }: Upgrade): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    response.detachSocket(request.socket);
    // The server itself answers and ends an invalid handshake.
    socket.once('close', () => reject(new ClientGoneError()));
    response.statusCode = 101;
    const addHeaders = (lines: string[], upgraded: IncomingMessage) => {
      if (upgraded !== request) return;
      for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
    };
    server.on('headers', addHeaders);
    server.handleUpgrade(request, socket, head, (client) => {
      client.pause();
      resolve(client);
    });
    server.off('headers', addHeaders);
  });

interface OpenSession {
  readonly kind: 'session';
  readonly answer: { readonly status: number; readonly headMs: number };
  readonly upstream: OpenSocket;
}

type Opened =
  | { readonly kind: 'open'; readonly connection: OpenSocket['connection'] }
  | { readonly kind: 'refused'; readonly status: number; readonly body: Buffer };

/** Resolves when the socket is open and paused, or when the upstream answered otherwise. */
const opening = (socket: WebSocket, failureMax: number): Promise<Opened> =>
  new Promise((resolve, reject) => {
    // The protocol is changed before the socket is open.
    socket.on('upgrade', ({ socket: connection }) => {
      socket.on('open', () => {
        socket.pause();
        resolve({ kind: 'open', connection });
      });
    });
    socket.on('error', (error) => reject(new UpstreamError('broken', error)));
    socket.on('unexpected-response', (_, response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      const finish = () => {
        resolve({
          kind: 'refused',
          status: response.statusCode ?? 502,
          body: Buffer.concat(pieces).subarray(0, failureMax),
        });
        socket.terminate();
      };
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size >= failureMax) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
    });
  });

const failed = (status: number, failure: FailedAttempt['failure']): FailedAttempt => ({
  kind: 'failed',
  status,
  failure,
  retryAfter: '',
});

const incomplete = (message: string) =>
  failed(0, {
    status: 502,
    error: { message, type: 'server_error', param: null, code: 'channel_incomplete' },
    retryable: true,
  });

const connect = async (
  call: RelayedCall,
  request: UpstreamRequest,
  { channel: { proxy } }: AttemptTarget,
): Promise<Opened & { socket: WebSocket }> => {
  const { limits, upstream } = call.context;
  const socket = upstream.socket(request, messageMax, proxy);
  let gone = false;
  call.client.onGone({
    abort: () => {
      gone = true;
      socket.terminate();
    },
  });
  const timer = setTimeout(() => socket.terminate(), limits.connectMs * 2);
  try {
    return { ...(await opening(socket, limits.failureMax)), socket };
  } catch (error) {
    throw gone ? new UpstreamError('aborted') : error;
  } finally {
    clearTimeout(timer);
  }
};

const attempt = (call: RelayedCall, target: AttemptTarget): Promise<OpenSession | FailedAttempt> =>
  runAttempt(call, target, async (translation, providerCall): Promise<OpenSession | FailedAttempt> => {
    const request = translation.request(providerCall, target.channel);
    if ('kind' in request) return request.kind === 'fault' ? incomplete(request.message) : failed(0, request.failure);
    const started = performance.now();
    try {
      const opened = await connect(call, request, target);
      if (opened.kind === 'refused') return failed(opened.status, translation.failure(opened.status, opened.body));
      const headMs = performance.now() - started;
      return { kind: 'session', answer: { status: 101, headMs }, upstream: opened };
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.fault === 'aborted') throw error;
      return failed(0, failureOf(error));
    }
  });

export interface RealtimeCall {
  readonly call: RelayedCall;
  readonly upgrade: Upgrade;
  readonly sessions: Sessions;
}

const deliver = async ({ call, upgrade, sessions }: RealtimeCall, open: OpenSession, billing: AttemptBilling) => {
  const { upstream } = open;
  const { log } = call.context;
  try {
    await billing.funds.secured();
    const client = await accept(upgrade);
    const session = new RealtimeSession({
      call,
      billing,
      client: { socket: client, connection: upgrade.socket },
      upstream,
    });
    await sessions
      .run(session)
      .catch((error: unknown) => log.error({ err: error, request_id: call.requestId }, 'session failed'));
  } catch (error) {
    upstream.socket.terminate();
    throw error;
  }
};

/** Runs a session: as any call until the upstream answers, then messages both ways until either side ends it. */
export const realtimeCall = (realtime: RealtimeCall): Promise<void> =>
  runCall(realtime.call, {
    attempt: (target) => attempt(realtime.call, target),
    deliver: (open, billing) => deliver(realtime, open, billing),
  });
