import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { relayLimits } from '../limits.ts';
import { createAddressGuard, type PrivateUpstreams } from './address-guard.ts';
import { createRunningCalls, HttpCall } from './http-call.ts';
import { createPools } from './pools.ts';

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
});

const serve = async (): Promise<string> => {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  servers.add(server);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
};

/** An origin whose port was free a moment ago. */
const closedOrigin = async (): Promise<string> => {
  const origin = await serve();
  for (const server of servers) server.close();
  return origin;
};

const create = (privateUpstreams: PrivateUpstreams) => {
  const running = createRunningCalls();
  const pools = createPools({ guard: createAddressGuard(privateUpstreams), limits: relayLimits, running });
  /** The result of one call: the body, or how it failed. */
  const send = (origin: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let body = '';
    const sink = {
      head: () => undefined,
      data: (chunk: Buffer) => void (body += chunk.toString()),
      end: () => resolve(body),
      fail: (error: Error) => reject(error),
    };
    const pool = pools.of(origin);
    const request = { origin, path: '/', method: 'GET', headers: [], body: Buffer.alloc(0) } as const;
    const call = new HttpCall(request, sink, pool, { times: relayLimits, rest: null });
    call.take(pools.connectionTo(pool));
    call.start();
    return promise;
  };
  return { pools, send };
};

describe('the pools of the HTTP client', () => {
  test('S7 keep no origin that the address guard refuses, literal or by name', async () => {
    const { pools, send } = create('deny');
    for (let port = 1; port <= 50; port++) {
      expect(() => send(`http://10.0.0.1:${port}`)).toThrow('not allowed');
      expect(pools.size()).toBe(0);
      await expect(send(`http://localhost:${port}`)).rejects.toThrow('not allowed');
    }
    expect(pools.size()).toBe(0);
  });

  test('S7 keep no origin that refused the connection', async () => {
    const { pools, send } = create('allow');
    const origin = await closedOrigin();
    await expect(send(origin)).rejects.toThrow('unreachable');
    expect(pools.size()).toBe(0);
  });

  test('S7 keep an origin while it has a connection, and no longer', async () => {
    const { pools, send } = create('allow');
    const origin = await serve();
    expect(await Promise.all([send(origin), send(origin)])).toEqual(['ok', 'ok']);
    expect(pools.size()).toBe(1);
    expect(pools.of(origin).idle).toHaveLength(2);
    pools.sweep(performance.now());
    expect(pools.size()).toBe(1);
    pools.sweep(performance.now() + 60_001);
    expect(pools.size()).toBe(0);
    expect(await send(origin)).toBe('ok');
    for (const server of servers) server.closeAllConnections();
    await expect.poll(() => pools.size()).toBe(0);
  });
});
