import type { LookupAddress } from 'node:dns';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { BlockedAddressError, createAddressGuard } from './address-guard.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import { codeOf, UpstreamError } from './upstream-error.ts';

export interface TunnelOptions {
  readonly proxy: ForwardProxy;
  readonly host: string;
  readonly port: number;
  /** Fails for names whose addresses are not allowed. */
  readonly lookup: LookupFunction;
  /** The proxy gets the address that was checked instead of the name: it might resolve the name to another one. */
  readonly pinned: boolean;
}

/** An operator may have a proxy in a private network, but not at a metadata service. */
const proxyGuard = createAddressGuard('allow');

/** Names that only a private network has: where they are unknown here, the proxy's network is not for channels. */
const privateName = /^[^.]*$|\.(?:localhost|local|internal|intranet|private|lan|home|corp|arpa)$/i;
const unknownName = /^(?:ENOTFOUND|EAI_AGAIN|ENODATA)$/;

const addressIn = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The host for the proxy, once its address is checked. A name that is unknown here is the proxy's to resolve. */
const checkedHost = ({ host, lookup, pinned }: TunnelOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    if (isIP(host) !== 0) return resolve(host);
    lookup(host, { all: true }, (error, addresses) => {
      if (error === null) {
        const [first]: readonly LookupAddress[] = Array.isArray(addresses) ? addresses : [];
        return resolve(pinned ? (first?.address ?? host) : host);
      }
      if (!pinned && unknownName.test(codeOf(error)) && !privateName.test(host)) return resolve(host);
      reject(error);
    });
  });

const connectProxy = ({ host, port, secure }: ForwardProxy): Socket => {
  const { lookup } = proxyGuard;
  return secure
    ? connectTls({ host, port, lookup, ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ['http/1.1'] })
    : connectPlain({ host, port, lookup });
};

const headMax = 16 * 1024;
const endOfHead = Buffer.from('\r\n\r\n');

const unconnected = (detail: string, cause?: unknown): UpstreamError =>
  new UpstreamError('proxy', cause ?? Object.assign(new Error('the proxy refused'), { code: detail }));

/**
 * A connection to an upstream through a proxy. What is written waits until the proxy has connected it; `connect` says
 * that it has.
 */
class Tunnel extends Duplex {
  private readonly raw: Socket;
  /** The proxy's answer so far; null: it has connected. */
  private head: Buffer | null = Buffer.alloc(0);
  private pending: (() => void) | null = null;

  constructor(options: TunnelOptions) {
    super();
    const { proxy } = options;
    this.raw = connectProxy(proxy);
    this.raw.setNoDelay(true);
    this.raw.on('data', (bytes: Buffer) => this.received(bytes));
    this.raw.on('end', () => (this.head === null ? this.push(null) : this.destroy(unconnected('closed'))));
    this.raw.on('error', (error) => this.destroy(this.head === null ? error : unconnected('', error)));
    this.raw.on('close', () => this.destroy());
    void this.request(options);
  }

  override _read(): void {
    this.raw.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const write = () => void this.raw.write(chunk, done);
    if (this.head === null) write();
    else this.pending = write;
  }

  override _final(done: () => void): void {
    this.raw.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.raw.destroy();
    done(error);
  }

  private async request(options: TunnelOptions): Promise<void> {
    const { authorization } = options.proxy;
    try {
      const target = `${addressIn(await checkedHost(options))}:${options.port}`;
      const account = authorization === '' ? '' : `proxy-authorization: ${authorization}\r\n`;
      if (!this.destroyed) this.raw.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${account}\r\n`);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new UpstreamError('unreachable', error));
    }
  }

  private received(bytes: Buffer): void {
    if (this.head !== null) return this.answered(Buffer.concat([this.head, bytes]));
    if (!this.push(bytes)) this.raw.pause();
  }

  private answered(head: Buffer): void {
    const end = head.indexOf(endOfHead);
    this.head = head;
    if (end < 0) {
      if (head.length > headMax) this.destroy(unconnected('no answer'));
      return;
    }
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, end))?.[1] ?? 'no status';
    if (!status.startsWith('2')) return void this.destroy(unconnected(`status ${status}`));
    this.head = null;
    this.emit('connect');
    this.pending?.();
    this.pending = null;
    const rest = head.subarray(end + endOfHead.length);
    if (rest.length > 0) this.received(rest);
  }
}

/** Connects to an upstream through a proxy. Throws `BlockedAddressError` where the proxy's address is not allowed. */
export const openTunnel = (options: TunnelOptions): Duplex => {
  const { host } = options.proxy;
  // A literal address is never looked up, so it is checked here.
  if (isIP(host) !== 0 && !proxyGuard.allows(host)) throw new BlockedAddressError(host);
  return new Tunnel(options);
};
