import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { refusal } from '../../providers/failure.ts';
import type { CredentialExchange } from '../../providers/provider.ts';
import { createAddressGuard } from './address-guard.ts';
import { createCredentials } from './credentials.ts';
import { relayLimits } from '../limits.ts';
import { createUpstream } from './upstream.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const serve = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address object.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const lifeMs = 1000;

const exchangeAt = (origin: string, key = 'k'): CredentialExchange => ({
  name: `${origin} ${key}`,
  request: () => ({ origin, path: `/token?key=${key}`, method: 'POST', headers: [], body: Buffer.alloc(0) }),
  read: (status, body, now) =>
    status === 200 ? { value: body.toString(), usableUntil: now + lifeMs } : refusal(`status ${status}`),
});

const build = async () => {
  let requestCount = 0;
  let fails = false;
  const origin = await serve((request, response) => {
    requestCount += 1;
    response.statusCode = fails ? 401 : 200;
    response.end(`${request.url}#${requestCount}`);
  });
  const clock = { time: 0, now: () => clock.time };
  const upstream = createUpstream({ guard: createAddressGuard('allow'), limits: relayLimits });
  ends.push(() => upstream.close());
  const credentials = createCredentials({ upstream, limits: relayLimits, clock });
  return { credentials, origin, clock, requestCount: () => requestCount, fail: (now: boolean) => (fails = now) };
};

test('PROVIDER-15 calls that come together exchange a key once, and the next ones not at all', async () => {
  const { credentials, origin, requestCount } = await build();
  const got = await Promise.all(Array.from({ length: 20 }, () => credentials.get(exchangeAt(origin))));
  expect(new Set(got.map((credential) => ('value' in credential ? credential.value : '')))).toEqual(
    new Set(['/token?key=k#1']),
  );
  await credentials.get(exchangeAt(origin));
  expect(requestCount()).toBe(1);
  expect(await credentials.get(exchangeAt(origin, 'other'))).toMatchObject({ value: '/token?key=other#2' });
});

test('PROVIDER-15 a credential is renewed when its time is over, or when it is taken no longer', async () => {
  const { credentials, origin, clock } = await build();
  await credentials.get(exchangeAt(origin));
  clock.time = lifeMs;
  expect(await credentials.get(exchangeAt(origin))).toMatchObject({ value: '/token?key=k#2' });
  credentials.forget(exchangeAt(origin));
  expect(await credentials.get(exchangeAt(origin))).toMatchObject({ value: '/token?key=k#3' });
});

test('PROVIDER-15 a refused exchange is a failure, and the next call exchanges again', async () => {
  const { credentials, origin, requestCount, fail } = await build();
  fail(true);
  expect(await credentials.get(exchangeAt(origin))).toMatchObject({ kind: 'refusal' });
  fail(false);
  expect(await credentials.get(exchangeAt(origin))).toMatchObject({ value: '/token?key=k#2' });
  expect(requestCount()).toBe(2);
  expect(await credentials.get(exchangeAt('http://127.0.0.1:1'))).toMatchObject({
    kind: 'refusal',
    failure: { status: 502, retryable: true },
  });
});
