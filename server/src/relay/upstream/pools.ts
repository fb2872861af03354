import { isIP } from 'node:net';
import { type AddressGuard, BlockedAddressError } from './address-guard.ts';
import { Connection } from './connection.ts';
import type { ForwardProxy, ProxyChoice } from '../forward-proxy.ts';
import type { Pool, RunningCalls } from './http-call.ts';
import type { RelayLimits } from '../limits.ts';
import { targetOf } from './tcp-socket.ts';
import { createTlsSessions } from './tls-sessions.ts';

export interface PoolsDeps {
  readonly guard: AddressGuard;
  readonly limits: Pick<RelayLimits, 'connectMs'>;
  readonly running: RunningCalls;
  /** The proxy of an origin whose channel has none of its own; absent: none. */
  readonly proxyOf?: ProxyChoice;
  /** A proxy gets checked addresses instead of names. Absent: it gets names. */
  readonly pinned?: boolean;
}

/** The connections of an HTTP client, by origin. */
export interface Pools {
  /** `proxy`: the channel's own. Throws where the origin is no address. */
  of(origin: string, proxy?: ForwardProxy | null): Pool;
  /** An idle connection, or a new one. Throws `BlockedAddressError` where the address is literal and not allowed. */
  connectionTo(pool: Pool): Connection;
  /** Closes what was idle for longer than the upstream keeps it. */
  sweep(now: number): void;
  closeIdle(): void;
  /** Pools that are kept: those with a connection. */
  size(): number;
}

/** Less than the 5 seconds after which common servers close an idle connection. */
const idleMs = 4000;
const idleMostMs = 60_000;

const isStale = (connection: Connection, now: number): boolean => {
  const keepAliveMs = connection.keepAliveMs();
  const kept = keepAliveMs === null ? idleMs : Math.min(idleMostMs, keepAliveMs - 1000);
  return now - connection.idleSince > kept;
};

/**
 * A pool is kept from its first connection to the end of its last one: clients name origins by the addresses in their
 * content, so what is kept must be bounded by what is connected.
 */
export const createPools = ({ guard, limits, running, proxyOf, pinned = false }: PoolsDeps): Pools => {
  const pools = new Map<string, Pool>();
  const sessions = createTlsSessions();
  const open = (pool: Pool): Connection => {
    // A literal address is never looked up, so it is checked here.
    if (isIP(pool.target.host) !== 0 && !guard.allows(pool.target.host))
      throw new BlockedAddressError(pool.target.host);
    const connection = new Connection({
      target: pool.target,
      connectMs: limits.connectMs,
      lookup: guard.lookup,
      sessions,
      proxy: pool.proxy,
      pinned,
      onClosed: (closed) => {
        if (pool.idle.includes(closed)) pool.idle = pool.idle.filter((one) => one !== closed);
        pool.connections -= 1;
        if (pool.connections === 0) pools.delete(pool.name);
      },
    });
    pool.connections += 1;
    pools.set(pool.name, pool);
    return connection;
  };
  const closeWhere = (isOver: (connection: Connection) => boolean) => {
    for (const pool of pools.values())
      for (const connection of pool.idle.slice()) if (isOver(connection)) connection.destroy();
  };
  return {
    of: (origin, own = null) => {
      const name = own === null ? origin : `${own.id} ${origin}`;
      const known = pools.get(name);
      if (known !== undefined) return known;
      const url = new URL(origin);
      const proxy = own ?? proxyOf?.(origin) ?? null;
      return { name, target: targetOf(url), proxy, host: url.host, running, idle: [], connections: 0 };
    },
    connectionTo: (pool) => pool.idle.pop() ?? open(pool),
    sweep: (now) => closeWhere((connection) => isStale(connection, now)),
    closeIdle: () => closeWhere(() => true),
    size: () => pools.size,
  };
};
