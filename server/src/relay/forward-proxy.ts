import { type BlockList, isIP } from 'node:net';
import { isRange, isWithin, rangesOf } from '../http/ranges.ts';

/** A proxy that connects this gateway to its upstreams (RFC 9110, CONNECT). */
export interface ForwardProxy {
  readonly host: string;
  readonly port: number;
  /** The connection to the proxy itself is encrypted. */
  readonly secure: boolean;
  /** Value of `Proxy-Authorization`; empty: the proxy asks for none. */
  readonly authorization: string;
  /** Equal for equal proxies. */
  readonly id: string;
}

/** The proxy at an address such as `http://user:password@proxy:8080`; null: it is no such address. */
export const readForwardProxy = (text: string): ForwardProxy | null => {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  const secure = url.protocol === 'https:';
  const named = url.username !== '' || url.password !== '';
  try {
    const account = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (secure ? 443 : 80),
      secure,
      authorization: named ? `Basic ${Buffer.from(account).toString('base64')}` : '',
      id: `${url.protocol}//${url.username}:${url.password}@${url.host}`,
    };
  } catch {
    return null;
  }
};

/** The proxies of the environment, as addresses; absent: none. */
export interface ProxyAddresses {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** Hosts that are reached without: names with their subdomains, addresses, ranges, `*` for all. */
  readonly none?: string | undefined;
}

const loopback = rangesOf(['127.0.0.0/8', '::1/128']);

interface Exceptions {
  readonly names: readonly string[];
  readonly ranges: BlockList;
}

const exceptionsIn = (text: string): Exceptions => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  return { names: entries.filter((entry) => !isRange(entry)), ranges: rangesOf(entries.filter(isRange)) };
};

const isExcepted = ({ names, ranges }: Exceptions, { hostname, host }: URL): boolean => {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) !== 0 && isWithin(ranges, name)) return true;
  return names.some((entry) => {
    if (entry === '*') return true;
    const own = entry.toLowerCase().replace(/^\*?\./, '');
    return own === name || own === host.toLowerCase() || name.endsWith(`.${own}`);
  });
};

/** Chooses the proxy of an origin by the environment; null: it is reached directly, as this machine itself always is. */
export const createProxyChoice = ({ https = '', http = '', none = '' }: ProxyAddresses) => {
  const secure = readForwardProxy(https);
  const plain = readForwardProxy(http);
  const exceptions = exceptionsIn(none);
  return (origin: string): ForwardProxy | null => {
    const url = URL.parse(origin);
    if (url === null || (secure === null && plain === null)) return null;
    if (url.hostname === 'localhost' || isWithin(loopback, url.hostname.replace(/^\[|\]$/g, ''))) return null;
    const proxy = /^(?:https|wss):$/.test(url.protocol) ? secure : plain;
    return proxy === null || isExcepted(exceptions, url) ? null : proxy;
  };
};

export type ProxyChoice = ReturnType<typeof createProxyChoice>;
