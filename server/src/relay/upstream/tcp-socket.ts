import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BlockedAddressError } from './address-guard.ts';
import type { TlsSessions } from './tls-sessions.ts';
import { causeOf, codeOf, UpstreamError } from './upstream-error.ts';

/** The target of a connection. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export interface TcpSocketOptions {
  readonly target: Target;
  readonly connectMs: number;
  readonly lookup: LookupFunction;
  readonly sessions: TlsSessions;
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

const connect = (
  { target: { host, port, secure }, lookup, sessions }: TcpSocketOptions,
  onData: (bytes: Buffer) => void,
): Socket => {
  const onRead = (length: number, bytes: Uint8Array): boolean => {
    onData(Buffer.from(bytes.buffer, bytes.byteOffset, length));
    return true;
  };
  if (!secure) return connectPlain({ host, port, lookup, onread: { buffer: readBuffer, callback: onRead } });
  const key = `${host}:${port}`;
  const session = sessions.get(key);
  const socket = connectTls({
    host,
    port,
    lookup,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...(session && { session }),
  });
  socket.on('session', (next: Buffer) => sessions.keep(key, next));
  socket.on('data', onData);
  return socket;
};

/** Opens a socket within `connectMs`. What breaks it is reported as the relay names it. */
export const openTcpSocket = (options: TcpSocketOptions, { onData, onEnd, onFailed }: TcpSocketEvents): Socket => {
  let connected = false;
  const socket = connect(options, onData);
  const timer = setTimeout(() => onFailed(new UpstreamError('timeout')), options.connectMs);
  socket.once(options.target.secure ? 'secureConnect' : 'connect', () => {
    connected = true;
    clearTimeout(timer);
  });
  socket.setNoDelay(true);
  socket.on('error', (error) => onFailed(toUpstreamError(error, connected)));
  socket.on('end', onEnd);
  socket.on('close', () => {
    clearTimeout(timer);
    onFailed(new UpstreamError('broken'));
  });
  return socket;
};
