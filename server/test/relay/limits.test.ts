import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startBareRelay, type BareRelay, type BareRelayOptions } from '../app/bare-relay.ts';
import { promptTokens, textTokens } from '../oracles/count-tokens.ts';
import { madeText } from '../fakes/fake-upstream.ts';
import { parseObject } from '../parsing/json.ts';
import { until, untilQuiet } from '../app/relay-app.ts';
import { startRaw } from '../clients/raw-client.ts';
import { verifyLedger } from '../../src/store/ledger/verify.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

const start = async (options: BareRelayOptions): Promise<BareRelay> => {
  const relay = await startBareRelay(options);
  cleanUps.push(relay.close);
  return relay;
};

/** A listener that accepts, counts what connects, and says nothing. */
const listen = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, url: `http://127.0.0.1:${port}`, connected: () => sockets.size };
};

const charges = async ({ db }: BareRelay) => {
  await untilQuiet(async () => (await db.read.selectFrom('holds').select('request_id').execute()).length === 0);
  expect((await verifyLedger(db)).findings).toEqual([]);
  return db.read.selectFrom('ledger').select(['amount', 'estimated']).where('kind', '=', 'use').execute();
};

const prompt = promptTokens([{ role: 'user', content: 'hello' }]);
const priceOf = (words: number) => prompt + 2 * textTokens(madeText(words));
const errorOf = (text: string) =>
  parseObject(JSON.stringify(parseObject(text.slice(text.lastIndexOf('data: ') + 6))['error']));

describe('an upstream that is silent', () => {
  test('RELAY-01 before its answer is given up with 504, and costs nothing', async () => {
    const { url } = await listen();
    const relay = await start({ addresses: [url], limits: { firstByteMs: 100 } });
    for (const stream of [false, true]) {
      const answer = await relay.start({ stream }).answer;
      expect(answer.status).toBe(504);
      expect(answer.error).toMatchObject({ code: 'upstream_timeout', type: 'server_error' });
    }
    expect(await charges(relay)).toEqual([]);
  });

  test('RELAY-05 before its answer is replaced by another channel', async () => {
    const { url } = await listen();
    const spare = await start({});
    const relay = await start({
      addresses: [url, spare.upstream.url],
      limits: { firstByteMs: 100 },
      options: { RetryTimes: '1' },
    });
    const answer = await relay.start().answer;
    // The spare upstream expects another key: its refusal shows that it was called.
    expect(answer.status).toBe(401);
    expect(spare.upstream.journal()).toHaveLength(1);
  });

  test('S1 RELAY-07 within a plain answer is given up, and costs nothing', async () => {
    const relay = await start({ limits: { idleMs: 150 } });
    const body = JSON.stringify({
      choices: [{ message: { content: 'a' } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    relay.upstream.behave(() => ({ body, headers: { 'content-length': '5000' } }));
    const answer = await relay.start().answer;
    expect(answer.status).toBe(504);
    expect(await charges(relay)).toEqual([]);
  });

  test('S1 RELAY-07 within a stream ends it with an error, and what came is paid', async () => {
    const relay = await start({ limits: { idleMs: 150 } });
    relay.upstream.behave(() => ({ words: 9, pause: { afterEvents: 4, until: new Promise(() => undefined) } }));
    const answer = await relay.start({ stream: true }).answer;
    expect(answer.status).toBe(200);
    expect(answer.complete).toBe(false);
    expect(answer.text).not.toContain('[DONE]');
    expect(errorOf(answer.text)).toMatchObject({ code: 'upstream_timeout' });
    expect(await charges(relay)).toEqual([{ amount: priceOf(3), estimated: 1 }]);
    await until(() => relay.upstream.running() === 0);
  });

  test('S1 RELAY-07 for no moment, but without an end, runs into the limit of a whole call', async () => {
    const relay = await start({ limits: { totalMs: 1500, idleMs: 60_000 } });
    relay.upstream.behave(() => ({ words: 30_000, eventDelayMs: 5 }));
    const answer = await relay.start({ stream: true }).answer;
    expect(answer.complete).toBe(false);
    expect(errorOf(answer.text)).toMatchObject({ code: 'upstream_timeout' });
    expect(await charges(relay)).toMatchObject([{ estimated: 1 }]);
    await until(() => relay.upstream.running() === 0);
  });
});

test('R38 events in front of the content reach the client when it is late', async () => {
  const relay = await start({ limits: { openingMs: 20 } });
  const gate = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ words: 4, pause: { afterEvents: 1, until: gate.promise } }));
  const call = relay.start({ stream: true });
  await until(() => call.received() > 0);
  gate.resolve();
  expect((await call.answer).complete).toBe(true);
});

describe('an answer that is too large', () => {
  test('RELAY-01 in one piece is refused and costs nothing', async () => {
    const relay = await start({ limits: { answerMax: 100_000 } });
    relay.upstream.behave(() => ({ words: 30_000 }));
    const answer = await relay.start().answer;
    expect(answer.status).toBe(502);
    expect(answer.error['code']).toBe('bad_response_body');
    expect(await charges(relay)).toEqual([]);
  });

  test('RELAY-01 of a failure is read no further than it must be', async () => {
    const relay = await start({ limits: { failureMax: 1000 } });
    relay.upstream.behave(() => ({ status: 500, body: `{"error":{"message":"${'m'.repeat(5_000_000)}"}}` }));
    const answer = await relay.start().answer;
    expect(answer.status).toBe(502);
    expect(answer.body.length).toBeLessThan(2000);
  });
});

describe('a client that takes nothing any more', () => {
  test('RELAY-10 is dropped after a while, its upstream ended, and what was delivered paid', async () => {
    const relay = await start({ limits: { stalledClientMs: 200 } });
    const content = 'x '.repeat(20_000);
    const event = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {} }], pad: content })}\n\n`;
    const word = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'river' } }] })}\n\n`;
    relay.upstream.behave(() => ({ events: [word, ...Array.from({ length: 3000 }, () => event)] }));
    const call = relay.start({ stream: true });
    (await call.response).pause();
    await until(() => relay.upstream.running() === 1);
    await until(() => relay.upstream.running() === 0);
    expect(relay.upstream.journal().at(-1)?.completed).toBe(false);
    expect(await charges(relay)).toEqual([{ amount: priceOf(1), estimated: 1 }]);
    call.request.destroy();
  });
});

/** Paths of the three forms of errors, each with what its body has for a refusal with 503. */
const forms = (code: string) =>
  [
    ['/v1/responses', { error: { type: 'one_api_error', param: '', code } }],
    ['/v1/messages', { type: 'error', error: { type: 'overloaded_error' } }],
    ['/v1beta/models/weir-test:streamGenerateContent?alt=sse', { error: { code: 503, status: 'UNAVAILABLE' } }],
  ] as const;

/** Every client reads the refusal in the form of its own vendor. */
const expectRefused = async (relay: BareRelay, code: string): Promise<void> => {
  for (const [path, body] of forms(code)) {
    const headers = { authorization: `Bearer ${relay.user.key}`, 'content-type': 'application/json' };
    const refused = await startRaw({ url: relay.url, path, headers, body: '{"model":"weir-test"}' }).answer;
    expect([refused.status, refused.headers['retry-after']], path).toEqual([503, '1']);
    expect(parseObject(refused.text), path).toMatchObject(body);
  }
};

describe('more calls than may run at once', () => {
  test('RELAY-01 are refused with a time to come back, and those that run go on', async () => {
    const relay = await start({ limits: { inFlightMax: 3 } });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    relay.upstream.behave(() => ({ until: gate }));
    const running = Array.from({ length: 3 }, () => relay.start());
    await until(() => relay.upstream.running() === 3);
    const refused = await relay.start().answer;
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.error['code']).toBe('overloaded');
    await expectRefused(relay, 'overloaded');
    open();
    for (const { answer } of running) expect((await answer).status).toBe(200);
    expect((await relay.start().answer).status).toBe(200);
    expect(await charges(relay)).toHaveLength(4);
  });
});

describe('a stop', () => {
  test('RELAY-10 refuses new calls, and ends and settles what runs beyond its time', async () => {
    const relay = await start({ limits: { drainMs: 200 } });
    relay.upstream.behave(({ stream }) =>
      stream
        ? { words: 9, pause: { afterEvents: 4, until: new Promise(() => undefined) } }
        : { until: new Promise(() => undefined) },
    );
    const stream = relay.start({ stream: true });
    await until(() => stream.received() > 1000);
    const plain = relay.start();
    await until(() => relay.upstream.running() === 2);
    const stopped = relay.stop();
    const refused = await relay.start().answer;
    expect(refused.status).toBe(503);
    expect(refused.error['code']).toBe('stopping');
    await expectRefused(relay, 'stopping');
    await stopped;
    const [cut, given] = [await stream.answer, await plain.answer];
    expect(cut.text).not.toContain('[DONE]');
    expect(cut.complete).toBe(false);
    expect(given.status).not.toBe(200);
    expect(await charges(relay)).toEqual([{ amount: priceOf(3), estimated: 1 }]);
  });
});

describe('an address that upstreams must not have', () => {
  test('B38 is never connected to, however it is written', async () => {
    const record = await listen();
    const { port } = record;
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::]',
    ];
    const addresses = hosts.map((host) => `http://${host}:${port}`);
    const relay = await start({ addresses, privateUpstreams: 'deny', options: { RetryTimes: String(hosts.length) } });
    const answer = await relay.start().answer;
    expect(answer.status).toBe(502);
    expect(answer.text.replace(/request id: \d+/, '')).not.toMatch(/127|localhost/);
    expect(record.connected()).toBe(0);
    expect(await charges(relay)).toEqual([]);
  });
});
