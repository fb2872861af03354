import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import { relayLimits } from '../limits.ts';
import { createMemoryBudget, MemoryError, type MemoryLimits } from '../memory/memory-budget.ts';
import { type CallContents, createRemoteContent } from './remote-content.ts';
import { createUpstream } from './upstream.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const png = Buffer.from('89504e470d0a1a0a', 'hex');

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

const mebibyte = 1024 * 1024;

/** What a new call has fetched: nothing. */
const contents = (limits: Partial<MemoryLimits> = {}): CallContents => {
  const size = 1024 * mebibyte;
  const budget = createMemoryBudget({ callMax: size, userMax: size, processMax: size, ...limits });
  return { memory: budget.open(1), byAddress: new Map() };
};

const build = (guard: 'allow' | 'deny' = 'allow') => {
  const upstream = createUpstream({ guard: createAddressGuard(guard), limits: { ...relayLimits, firstByteMs: 5000 } });
  ends.push(() => upstream.close());
  return createRemoteContent({ upstream, limits: relayLimits });
};

test('RELAY-03 content is fetched by its address, with its type, through redirects', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/a.png?x=1' }).end();
    else if (request.url === '/unnamed') response.end(png);
    else response.writeHead(200, { 'content-type': 'image/PNG; charset=x' }).end(png);
  });
  const addresses = [`${origin}/a.png?x=1`, `${origin}/moved`, `${origin}/unnamed`];
  const fetched = await build().fetch(addresses, contents(), null);
  const content = { kind: 'content', mime: 'image/png', base64: Buffer.from(png.toString('base64')) };
  expect(fetched).toEqual({ kind: 'fetched', contents: new Map(addresses.map((address) => [address, content])) });
});

test('RELAY-03 S23 what is no content is a clear refusal, and another channel may take the address itself', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end('no');
    else if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (request.url === '/elsewhere') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else request.socket.destroy();
  });
  const remote = build();
  const refused = async (address: string) => {
    const result = await remote.fetch([address], contents(), null);
    if (result.kind !== 'refusal') throw new Error(`fetched ${address}`);
    const { status, retryable, error } = result.failure;
    expect({ status, retryable, code: error.code }).toEqual({
      status: 400,
      retryable: true,
      code: 'invalid_image_url',
    });
    return error.message.replace(origin, '');
  };
  expect(await refused(`${origin}/missing`)).toBe('could not fetch content from /missing: status 404');
  expect(await refused(`${origin}/page`)).toContain('not an image');
  expect(await refused(`${origin}/loop`)).toContain('too many redirects');
  expect(await refused(`${origin}/elsewhere`)).toContain('not an http or https address');
  expect(await refused(`${origin}/cut`)).toBe('could not fetch content from /cut: no response');
  expect(await refused('ftp://example.org/a')).toContain('not an http or https address');
  expect(await refused('http://user:secret@example.org/a')).toContain('not an http or https address');
  const many = Array.from({ length: 17 }, (_, n) => `${origin}/${n}`);
  expect(await remote.fetch(many, contents(), null)).toMatchObject({ kind: 'refusal', failure: { status: 400 } });
});

test('RELAY-03 no caller reaches a private address, by name, number or redirect', async () => {
  let reached = 0;
  const origin = await serve((_, response) => {
    reached += 1;
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const remote = build('deny');
  const { port } = new URL(origin);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0x7f.1', '[::ffff:127.0.0.1]']) {
    const result = await remote.fetch([`http://${host}:${port}/a.png`], contents(), null);
    expect(result).toMatchObject({ kind: 'refusal', failure: { error: { code: 'invalid_image_url' } } });
  }
  expect(reached).toBe(0);
});

test('RELAY-03 a client that disconnects ends the fetches of its call', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let leave: () => void = () => undefined;
  const origin = await serve((request) => {
    request.socket.on('close', () => resolve());
    leave();
  });
  const client = { onGone: (call: { abort(): void }) => (leave = () => call.abort()) };
  await expect(build().fetch([`${origin}/slow`], contents(), client)).rejects.toMatchObject({ fault: 'aborted' });
  await closed;
});

test('S2 what a call has fetched is bounded in total, and counted for its user and the process', async () => {
  const picture = Buffer.concat([png, Buffer.alloc(2 * mebibyte)]);
  const origin = await serve((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture));
  const addresses = Array.from({ length: 16 }, (_, n) => `${origin}/${n}.png`);
  const remote = build();
  expect(await remote.fetch(addresses, contents(), null)).toMatchObject({
    kind: 'refusal',
    failure: { status: 400, error: { code: 'invalid_image_url' } },
  });
  const small = { userMax: 5 * mebibyte };
  await expect(remote.fetch(addresses.slice(0, 4), contents(small), null)).rejects.toThrow(MemoryError);
  const kept = contents();
  expect(await remote.fetch(addresses.slice(0, 2), kept, null)).toMatchObject({ kind: 'fetched' });
  expect(kept.byAddress.get(addresses[0] ?? '')?.base64.toString()).toBe(picture.toString('base64'));
});

test('S2 another attempt of the call fetches nothing again', async () => {
  let fetched = 0;
  const origin = await serve((_, response) => {
    fetched += 1;
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const remote = build();
  const kept = contents();
  for (let attempt = 0; attempt < 3; attempt += 1) await remote.fetch([`${origin}/a.png`], kept, null);
  expect(fetched).toBe(1);
});
