import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJson, listOf } from '../../../test/parsing/json.ts';
import { type RawRequest, sendRaw, startRaw } from '../../../test/clients/raw-client.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';

import type { RelayUser } from '../../../test/app/relay-user.ts';
import { findBrokenAudit } from '../../store/audit.ts';
import { relayLimits } from '../limits.ts';

interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let relay: RelayApp;
let user: RelayUser;
let upstream: Server;
let channel = 0;
const arrived: Arrived[] = [];
const ended: string[] = [];

beforeAll(async () => {
  relay = await buildRelayApp();
  upstream = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => ended.push(`${request.url}${response.writableFinished ? '' : ' cut'}`));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const isEvents = url.startsWith('/base/events');
      const type = isEvents ? 'text/event-stream' : 'application/x-vendor';
      response.writeHead(isEvents ? 200 : 418, {
        'content-type': type,
        'set-cookie': 'of=vendor',
        'access-control-allow-origin': 'https://vendor.example',
        'x-ratelimit-limit': '9',
      });
      response.write(isEvents ? 'data: 1\n\n' : Buffer.from([0, 0xff, 1]));
      if (!url.endsWith('endless')) response.end(isEvents ? 'data: 2\n\n' : '');
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  const base = isJson(address) ? `http://127.0.0.1:${String(address['port'])}/base` : '';
  channel = await relay.addChannel({ type: 43, base_url: base, key: 'Basic dmVuZG9yOmtleQ==', models: 'any' });
  user = await relay.addUser();
});
afterAll(async () => {
  await relay.close();
  upstream.closeAllConnections();
  upstream.close();
});

const askFor = ({ key, path, ...rest }: Partial<RawRequest> & { readonly key?: string; readonly path: string }) => ({
  url: relay.url,
  ...rest,
  path: `/v1/oneapi/proxy/${path}`,
  headers: { authorization: `Bearer ${key ?? user.key}`, ...rest.headers },
});

test('PROVIDER-43 passes method, path, query, headers and body on with the key of the channel, and the answer back', async () => {
  const before = await relay.userBalance(user.userId);
  const headers = {
    'x-mine': 'yes',
    cookie: 'session=1',
    'x-forwarded-for': '10.1.1.1',
    accept: 'text/x',
  };
  const answer = await sendRaw(
    askFor({ method: 'PATCH', path: `${channel}/things/1?a=1&a=%20`, headers, body: 'what' }),
  );
  expect(arrived.at(-1)).toMatchObject({
    method: 'PATCH',
    url: '/base/things/1?a=1&a=%20',
    headers: { authorization: 'Basic dmVuZG9yOmtleQ==', 'x-mine': 'yes', accept: 'text/x', 'content-length': '4' },
    body: 'what',
  });
  expect(Object.keys(arrived.at(-1)?.headers ?? {})).not.toContain('cookie');
  expect(Object.keys(arrived.at(-1)?.headers ?? {})).not.toContain('x-forwarded-for');
  expect(answer).toMatchObject({ status: 418, complete: true, body: Buffer.from([0, 0xff, 1]) });
  expect(answer.headers).toMatchObject({ 'content-type': 'application/x-vendor', 'x-ratelimit-limit': '9' });
  expect([answer.headers['set-cookie'], answer.headers['access-control-allow-origin']]).toEqual([undefined, undefined]);
  expect(await relay.userBalance(user.userId)).toEqual(before);
  expect([await relay.chargeOf(answer.requestId), await relay.logOf(answer.requestId)]).toEqual([null, null]);
});

test('PROVIDER-43 records in the audit log who used the key of the channel for what, without the query', async () => {
  const answers = Array.from({ length: 5 }, (_, index) =>
    sendRaw(askFor({ method: 'PUT', path: `${channel}/audited/${index}?token=hidden`, body: '{}' })),
  );
  const ids = (await Promise.all(answers)).map(({ requestId }) => requestId);
  const entries = () =>
    relay.app.db.read.selectFrom('audit').selectAll().where('request_id', 'in', ids).orderBy('request_id').execute();
  await expect.poll(entries, { timeout: 30_000 }).toHaveLength(5);
  for (const [index, entry] of (await entries()).toSorted((a, b) => (a.detail < b.detail ? -1 : 1)).entries()) {
    expect(entry).toMatchObject({
      actor_id: user.userId,
      action: 'proxy_call',
      subject: `channel ${channel}`,
      detail: `PUT /audited/${index}, token ${user.tokenId}`,
      address: '127.0.0.1',
    });
  }
  const log = await relay.root.data('GET', '/api/audit/?before=0');
  const [newest] = listOf(log);
  expect(newest).toMatchObject({
    action: 'proxy_call',
    actor_id: user.userId,
  });
  expect(listOf(await relay.root.data('GET', `/api/audit/?before=${String(newest?.['id'])}`))).toHaveLength(
    listOf(log).length - 1,
  );
  expect(await findBrokenAudit(relay.app.db.read)).toBeUndefined();
});

test('PROVIDER-43 passes events on as they come, and ends the upstream call when the client disconnects', async () => {
  const whole = await sendRaw(askFor({ method: 'GET', path: `${channel}/events` }));
  expect(whole).toMatchObject({ status: 200, complete: true, text: 'data: 1\n\ndata: 2\n\n' });
  const endless = startRaw({ ...askFor({ path: `${channel}/events/endless`, body: '{}' }), cutAfterBytes: 9 });
  expect((await endless.answer).text).toBe('data: 1\n\n');
  await expect.poll(() => ended, { timeout: 30_000 }).toContain('/base/events/endless cut');
});

test('PROVIDER-43 serves the groups of its channel and administrators alone, and no other channel', async () => {
  const seen = arrived.length;
  const ofOthers = await relay.addChannel({ type: 43, base_url: 'http://127.0.0.1:9', models: 'any', group: 'vip' });
  const plain = await relay.addChannel({ type: 1 });
  const off = await relay.addChannel({ type: 43, base_url: 'http://127.0.0.1:9', models: 'any' });
  await relay.changeChannel(off, { status: 2 });
  const admin = await relay.addUser({ user: { role: 10 } });
  const statuses = [];
  for (const path of [`${ofOthers}/x`, `${plain}/v1/models`, `${off}/x`, '9999/x', 'one/x'])
    statuses.push((await sendRaw(askFor({ path, body: '{}' }))).status);
  statuses.push((await sendRaw(askFor({ key: 'sk-wrong', path: `${channel}/x`, body: '{}' }))).status);
  statuses.push((await sendRaw(askFor({ key: admin.key, path: `${ofOthers}/x`, body: '{}' }))).status);
  const large = gzipSync(Buffer.alloc(relayLimits.bodyMax + 1));
  const packed = { path: `${channel}/x`, headers: { 'content-encoding': 'gzip' }, body: large };
  statuses.push((await sendRaw(askFor(packed))).status);
  expect(statuses).toEqual([403, 404, 403, 400, 400, 401, 502, 413]);
  expect(arrived).toHaveLength(seen);
});
