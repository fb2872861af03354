import { connect as connectPlain, isIP, type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { BlockedAddressError } from './address-guard.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import { openTunnel } from './proxy-tunnel.ts';
import type { TlsSessions } from './tls-sessions.ts';
import { causeOf, codeOf, UpstreamError } from './upstream-error.ts';

/** The target of a connection. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The target of an http(s) URL. */
export const targetOf = (url: URL): Target => {
  const secure = url.protocol === 'https:';
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (secure ? 443 : 80), secure };
};

export interface TcpSocketOptions {
  readonly target: Target;
  readonly connectMs: number;
  readonly lookup: LookupFunction;
  readonly sessions: TlsSessions;
  /** Null: none. */
  readonly proxy: ForwardProxy | null;
  /** A proxy gets checked addresses instead of names. */
  readonly pinned: boolean;
}

export interface TcpSocketEvents {
  /** The bytes are valid only until this returns. */
  onData(bytes: Buffer): void;
  /** The upstream sends no more. */
  onEnd(): void;
  /** The socket is of no more use. May be called more than once. */
  onFailed(error: UpstreamError): void;
}

/**
 * All plain connections read into this buffer. Each read is consumed before the event loop turns to the next
 * connection, so nothing may keep a reference to it.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

const toUpstreamError = (error: unknown, connected: boolean): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BlockedAddressError) return new UpstreamError('blocked', error);
  if (error instanceof AggregateError && error.errors.length > 0) return toUpstreamError(error.errors[0], connected);
  if (codeOf(error) === 'ETIMEDOUT') return new UpstreamError('timeout', error);
  return new UpstreamError(connected ? 'broken' : causeOf(error), error);
};

type ConnectOptions = Omit<TcpSocketOptions, 'connectMs'>;

/** An encrypted connection, over another one if that is given. */
const connectSecure = ({ target: { host, port }, lookup, sessions }: ConnectOptions, below: Duplex | null): Duplex => {
  const key = `${host}:${port}`;
  const session = sessions.get(key);
  const socket = connectTls({
    host,
    port,
    lookup,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...(session && { session }),
    ...(below && { socket: below }),
  });
  socket.on('session', (next: Buffer) => sessions.keep(key, next));
  return socket;
};

/** A connection through a proxy. Throws `BlockedAddressError` where the proxy's address is not allowed. */
export const connectThrough = (options: ConnectOptions, proxy: ForwardProxy): Duplex => {
  const { target, lookup, pinned } = options;
  const tunnel = openTunnel({ proxy, host: target.host, port: target.port, lookup, pinned });
  if (!target.secure) return tunnel;
  const socket = connectSecure(options, tunnel);
  tunnel.on('error', (error) => socket.destroy(error));
  return socket;
};

const connect = (options: TcpSocketOptions, onData: (bytes: Buffer) => void): Duplex => {
  const { target, lookup, proxy } = options;
  if (proxy !== null) return connectThrough(options, proxy).on('data', onData);
  if (target.secure) return connectSecure(options, null).on('data', onData);
  const onRead = (length: number, bytes: Uint8Array): boolean => {
    onData(Buffer.from(bytes.buffer, bytes.byteOffset, length));
    return true;
  };
  const { host, port } = target;
  return connectPlain({ host, port, lookup, onread: { buffer: readBuffer, callback: onRead } });
};

/** Opens a socket within `connectMs`. What breaks it is reported as the relay names it. */
export const openTcpSocket = (options: TcpSocketOptions, { onData, onEnd, onFailed }: TcpSocketEvents): Duplex => {
  let connected = false;
  const socket = connect(options, onData);
  const timer = setTimeout(() => onFailed(new UpstreamError('timeout')), options.connectMs);
  socket.once(options.target.secure ? 'secureConnect' : 'connect', () => {
    connected = true;
    clearTimeout(timer);
  });
  if (socket instanceof Socket) socket.setNoDelay(true);
  socket.on('error', (error) => onFailed(toUpstreamError(error, connected)));
  socket.on('end', onEnd);
  socket.on('close', () => {
    clearTimeout(timer);
    onFailed(new UpstreamError('broken'));
  });
  return socket;
};
