import { isIP } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import type { RelayLimits } from '../limits.ts';
import { connectThrough, targetOf } from './tcp-socket.ts';
import { createTlsSessions } from './tls-sessions.ts';
import { UpstreamError } from './upstream-error.ts';

export interface SocketOptions {
  readonly guard: AddressGuard;
  readonly limits: Pick<RelayLimits, 'connectMs'>;
  /** Bytes of the longest message that is taken. */
  readonly messageMax: number;
  /** Null: none. */
  readonly proxy: ForwardProxy | null;
}

const headersOf = ({ headers }: UpstreamRequest): Record<string, string> => {
  const named: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) named[headers[i] ?? ''] = headers[i + 1] ?? '';
  return named;
};

const throughProxy = (url: URL, proxy: ForwardProxy, { lookup }: AddressGuard) => {
  const target = targetOf(new URL(url.href.replace(/^ws/, 'http')));
  return connectThrough({ target, lookup, sessions: createTlsSessions(), proxy, pinned: false }, proxy);
};

/** Begins to open a WebSocket to an upstream. Throws if its address is invalid or not allowed. */
export const openSocket = (request: UpstreamRequest, options: SocketOptions): WebSocket => {
  const { guard, limits, messageMax, proxy } = options;
  const url = URL.parse(request.origin);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  // A literal address is never looked up, so it is checked here.
  if (isIP(host) !== 0 && !guard.allows(host)) throw new UpstreamError('blocked');
  return new WebSocket(request.origin + request.path, {
    headers: headersOf(request),
    handshakeTimeout: limits.connectMs,
    maxPayload: messageMax,
    perMessageDeflate: false,
    followRedirects: false,
    lookup: guard.lookup,
    ...(proxy !== null && url !== null && { createConnection: () => throughProxy(url, proxy, guard) }),
  });
};

/** The bytes of a message, whichever of its three forms the socket gives it in. */
export const messageBytes = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
};
