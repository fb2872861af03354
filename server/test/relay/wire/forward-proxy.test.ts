import { createServer } from 'node:https';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import { openSession } from '../../clients/realtime-client.ts';
import { startFakeRealtime } from '../../fakes/fake-realtime.ts';
import { type ForwardProxyServer, startForwardProxy } from '../../fakes/services/forward-proxy.ts';
import { trustLocalCertificate } from '../../fakes/services/mail-server.ts';
import { parseObject } from '../../parsing/json.ts';

/** A name that is known in the network of the proxy alone. */
const farHost = 'upstream.weir.invalid';

let proxy: ForwardProxyServer;
let relay: RelayApp;
let key: string;

beforeAll(async () => {
  proxy = await startForwardProxy({ [farHost]: '127.0.0.1' });
  relay = await buildRelayApp({ httpProxy: proxy.url });
  await relay.setOption('RetryTimes', '0');
  ({ key } = await relay.addUser());
});
afterAll(async () => {
  await relay.close();
  await proxy.close();
});

const configOf = async (id: number): Promise<string> => {
  const channel = await relay.root.data('GET', `/api/channel/${id}`);
  return String(parseObject(JSON.stringify(channel))['config']);
};
const storedConfig = async (id: number): Promise<string> => {
  const row = relay.app.db.read.selectFrom('channels').select('config').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).config;
};
const port = () => new URL(relay.upstream.url).port;

describe('a proxy of one channel', () => {
  test('R25 RELAY-05 its calls go through it, plain, streamed and large, and cost what they do without', async () => {
    const models = 'through';
    const manyKeys = JSON.stringify({ proxy: proxy.url, multi_key: true });
    await relay.setOption('ModelRatio', JSON.stringify({ through: 1 }));
    await relay.setOption('CompletionRatio', JSON.stringify({ through: 2 }));
    const id = await relay.addChannel({ models, config: JSON.stringify({ proxy: proxy.url, region: 'eu' }) });
    await relay.changeChannel(id, { key: `${relay.upstream.key}\n${relay.upstream.key}-2`, config: manyKeys });
    const keys = await relay.app.db.read.selectFrom('channels').select('key_tail').where('id', '=', id).execute();
    expect(keys).toEqual([{ key_tail: `${relay.upstream.key}-2`.slice(-4) }]);
    await relay.changeChannel(id, { key: relay.upstream.key });
    const before = proxy.connected().length;
    for (const stream of [false, true]) {
      const answer = await relay.ask({ key, body: { model: models, stream } });
      expect([answer.status, answer.complete]).toEqual([200, true]);
      expect(await relay.chargeOf(answer.requestId)).toMatchObject({ estimated: 0 });
    }
    const content = 'x'.repeat(3_000_000);
    const large = await relay.ask({ key, body: { model: models, messages: [{ role: 'user', content }] } });
    expect(large.status).toBe(200);
    expect(new Set(proxy.connected().slice(before))).toEqual(new Set([`127.0.0.1:${port()}`]));
    expect(await relay.root.data('GET', `/api/channel/test/${id}?model=${models}`)).toBeUndefined();
  });

  test('R25 SEC-04 its password is sealed, never shown, and stays when a form sends back what it was shown', async () => {
    const id = await relay.addChannel({
      models: 'sealed',
      config: JSON.stringify({ proxy: proxy.url, sk: 'cloud-key' }),
    });
    const shown = await configOf(id);
    expect(parseObject(shown)).toEqual({ proxy: `http://weir:***@127.0.0.1:${proxy.port}`, sk: '***' });
    const stored = await storedConfig(id);
    expect(stored).not.toMatch(/p%40ss|cloud-key/);
    await relay.changeChannel(id, { config: shown, name: 'renamed' });
    expect(await storedConfig(id)).not.toContain('***');
    expect((await relay.ask({ key, body: { model: 'sealed' } })).status).toBe(200);
    await relay.changeChannel(id, { config: JSON.stringify({ proxy: `http://127.0.0.1:${proxy.port}` }) });
    expect(await configOf(id)).toBe(JSON.stringify({ proxy: `http://127.0.0.1:${proxy.port}` }));
    const refused = await relay.ask({ key, body: { model: 'sealed' } });
    expect([refused.status, refused.error['message']]).toEqual([502, expect.stringContaining('(status 407)')]);
    expect(await relay.root.refused('PUT', '/api/channel/', { id, config: '{"proxy":"socks5://p:1"}' })).toContain(
      'proxy',
    );
  });

  test('R25 S7 what no upstream may be is not reached through it either', async () => {
    const config = JSON.stringify({ proxy: proxy.url });
    const hosts = ['169.254.169.254', 'metadata.google.internal', 'router'];
    const before = proxy.connected().length;
    for (const host of hosts) {
      await relay.addChannel({ models: host, base_url: `http://${host}`, config });
      expect((await relay.ask({ key, body: { model: host } })).status, host).toBe(502);
    }
    expect(proxy.connected().length).toBe(before);
  });

  test('R25 RELAY-04 WebSockets go through it, and encrypted upstreams', async () => {
    const trusted = trustLocalCertificate();
    const read = (name: string) => readFileSync(new URL(`../../fakes/tls/${name}.pem`, import.meta.url));
    const secure = createServer({ key: read('localhost-key'), cert: read('localhost-cert') }, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          choices: [{ message: { content: 'over TLS' } }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }),
      ),
    ).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const address = secure.address();
    const at = typeof address === 'object' && address !== null ? address.port : 0;
    const config = JSON.stringify({ proxy: proxy.url });
    const realtime = await startFakeRealtime('authorization', 'sk-realtime-upstream');
    try {
      await relay.addChannel({ models: 'secure', base_url: `https://localhost:${at}`, config });
      const answer = await relay.ask({ key, body: { model: 'secure' } });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('over TLS')]);
      expect(proxy.connected()).toContain(`localhost:${at}`);

      const channel = { type: 1, base_url: realtime.url, key: 'sk-realtime-upstream', models: 'gpt-realtime', config };
      await relay.addChannel(channel);
      const session = await openSession({ url: relay.url, path: '/v1/realtime?model=gpt-realtime', key });
      session.socket.close();
      await session.ended;
      expect(proxy.connected()).toContain(new URL(realtime.url).host);
      await relay.settled();
    } finally {
      trusted();
      secure.closeAllConnections();
      secure.close();
      await realtime.close();
    }
  });
});

test('R25 HTTP_PROXY is the way to every other upstream, also to names that only the proxy knows', async () => {
  await relay.addChannel({ models: 'far', base_url: `http://${farHost}:${port()}` });
  expect((await relay.ask({ key, body: { model: 'far' } })).status).toBe(200);
  expect(proxy.connected()).toContain(`${farHost}:${port()}`);
  // This machine is reached directly.
  await relay.addChannel({ models: 'near' });
  const before = proxy.connected().length;
  expect((await relay.ask({ key, body: { model: 'near' } })).status).toBe(200);
  expect(proxy.connected().length).toBe(before);
  expect(proxy.refused()).toBe(1);
});
