import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promptTokens, textTokens } from '../oracles/count-tokens.ts';
import { buildRelayApp, testModel, testPrice, type NamedAnswer, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const words = ['Water', ' flows', ' 水', ' over', ' the', ' weir', '.'];
const usage = { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 };
const chunk = (members: object): string =>
  `data: ${JSON.stringify({ id: 'c', created: 5, model: 'm', ...members })}\n\n`;
const delta = (content: object, finish: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
const events: readonly string[] = [
  delta({ role: 'assistant', content: '' }),
  ...words.map((content) => delta({ content })),
  delta({}, 'stop'),
  chunk({ choices: [], usage }),
  'data: [DONE]\n\n',
];
const whole = Buffer.from(events.join(''));
/** Where each event ends, in bytes. */
const ends = events.map((_, index) => Buffer.byteLength(events.slice(0, index + 1).join('')));
const messages = [{ role: 'user', content: 'What does a weir do?' }];
const prompt = promptTokens(messages);

const body = { messages, stream: true, stream_options: { include_usage: true } };
const errorEvent = /data: (\{"error":\{[^\n]*\}\})\n\n$/;

/** What a client can tell of a stream that broke off: the bytes before the error, and the error itself. */
const brokenOf = (answer: NamedAnswer) => {
  const error = errorEvent.exec(answer.text);
  return {
    status: answer.status,
    /** HTTP said that the body is whole. */
    complete: answer.complete,
    text: error === null ? answer.text : answer.text.slice(0, error.index),
    code: /"code":"([a-z_]+)"/.exec(error?.[1] ?? '')?.[1],
    named: error?.[1]?.includes(`(request id: ${answer.requestId})`),
  };
};

/** What so many whole events cost when nothing follows. */
const priceOf = (count: number) => {
  const delivered = words.slice(0, Math.max(0, count - 1)).join('');
  if (count > events.length - 2) return { amount: testPrice({ prompt: 9, completion: 8 }), estimated: 0 };
  return delivered === '' ? null : { amount: testPrice({ prompt, completion: textTokens(delivered) }), estimated: 1 };
};

const cutOffsets = [...new Set(ends.flatMap((end) => [end - 40, end - 2, end - 1, end, end + 1, end + 7]))].filter(
  (index) => index >= 0 && index < whole.length,
);

describe('an upstream that resets its connection', () => {
  test('S1 S2 RELAY-07 within a stream, at and inside every event, never makes it look complete, and is paid for what came', async () => {
    const offsetOf = (nonce: string) => Number(nonce.slice('reset-at-'.length));
    relay.upstream.behave(({ nonce }) => ({
      events: [whole.subarray(0, offsetOf(nonce))],
      cutAfterBytes: offsetOf(nonce),
    }));
    const ask = (position: number) =>
      relay.ask({
        key: user.key,
        body: JSON.stringify({ model: testModel, ...body, user: `reset-at-${position}` }),
        nonce: `reset-at-${position}`,
      });
    for (const answer of await Promise.all(cutOffsets.map(ask))) {
      const count = ends.filter((end) => end <= offsetOf(answer.nonce)).length;
      if (answer.status === 502) {
        // Broken before its first event was here: nothing had reached the client yet.
        expect(answer.error['code'], answer.nonce).toBe('do_request_failed');
        expect(await relay.chargeOf(answer.requestId)).toBeNull();
        expect(count, answer.nonce).toBeLessThanOrEqual(1);
        continue;
      }
      const seen = brokenOf(answer);
      expect(seen, answer.nonce).toMatchObject({
        status: 200,
        complete: false,
        code: 'do_request_failed',
        named: true,
      });
      // The reset may overtake what was sent last.
      const arrived = events.findIndex((_, index) => seen.text === events.slice(0, index).join(''));
      expect(arrived, answer.nonce).toBeGreaterThanOrEqual(0);
      expect(arrived, answer.nonce).toBeLessThanOrEqual(count);
      expect(answer.text).not.toContain('[DONE]');
      expect(await relay.chargeOf(answer.requestId), answer.nonce).toEqual(priceOf(arrived));
    }
  });
});

/** The stream without the usage that the gateway counted. */
const withoutCounted = (text: string): string => text.replace(/data: [^\n]*"object":"[^\n]*"usage":\{[^\n]*\n\n/, '');

describe('an upstream that ends its stream early, as if it were complete', () => {
  test('S1 S2 RELAY-07 gets the same as one that breaks off, unless every choice had its finish reason', async () => {
    const countOf = (nonce: string) => Number(nonce.slice('end-at-'.length));
    relay.upstream.behave(({ nonce }) => ({ events, endAfterEvents: countOf(nonce) }));
    const ask = (count: number) =>
      relay.ask({
        key: user.key,
        body: JSON.stringify({ model: testModel, ...body, user: `end-at-${count}` }),
        nonce: `end-at-${count}`,
      });
    const counts = Array.from({ length: events.length }, (_, index) => index);
    for (const answer of await Promise.all(counts.map(ask))) {
      const count = countOf(answer.nonce);
      const finished = count > words.length + 1;
      // The first event is an empty one with the role.
      if (count <= 1) {
        expect(answer.status).toBe(502);
        expect(answer.error['code']).toBe('bad_response_body');
      } else if (finished) {
        // Where the usage of the upstream is missing, the client gets the tokens that are charged.
        expect(withoutCounted(answer.text)).toBe(`${events.slice(0, count).join('')}data: [DONE]\n\n`);
        expect(answer.complete).toBe(true);
      } else {
        const seen = brokenOf(answer);
        expect(seen).toMatchObject({ status: 200, complete: false, code: 'upstream_truncated', named: true });
        expect(seen.text).toBe(events.slice(0, count).join(''));
      }
      expect(await relay.chargeOf(answer.requestId), answer.nonce).toEqual(priceOf(count));
    }
  });

  test('S1 inside an event loses that event alone', async () => {
    for (const cut of [3, 20, 60]) {
      const [first = '', second = ''] = events.slice(1);
      relay.upstream.behave(() => ({ events: [first, second.slice(0, cut)] }));
      const answer = await relay.ask({ key: user.key, body });
      const seen = brokenOf(answer);
      expect(seen).toMatchObject({ complete: false, text: first });
      expect(await relay.chargeOf(answer.requestId)).toEqual(priceOf(2));
    }
  });

  test('RELAY-01 within its last line end gets a terminator of its own line', async () => {
    for (const lost of [1, 2]) {
      const last = delta({}, 'stop').slice(0, -lost);
      relay.upstream.behave(() => ({ events: [...events.slice(0, 3), last] }));
      const answer = await relay.ask({ key: user.key, body });
      expect(withoutCounted(answer.text)).toBe(`${events.slice(0, 3).join('')}${delta({}, 'stop')}data: [DONE]\n\n`);
      expect(answer.complete).toBe(true);
    }
  });

  test('S1 with one of two choices unfinished is not complete', async () => {
    const choice = (index: number, finish: string | null) =>
      chunk({ choices: [{ index, delta: { content: 'a' }, finish_reason: finish }] });
    relay.upstream.behave(() => ({ events: [choice(0, null), choice(1, null), choice(0, 'stop')] }));
    expect(brokenOf(await relay.ask({ key: user.key, body })).code).toBe('upstream_truncated');
    relay.upstream.behave(() => ({
      events: [choice(0, null), choice(1, null), choice(0, 'stop'), choice(1, 'length')],
    }));
    expect((await relay.ask({ key: user.key, body })).complete).toBe(true);
  });
});

describe('an upstream that reports an error within a stream', () => {
  const reports: readonly (readonly [string, string, string])[] = [
    [
      'an error object',
      'data: {"error":{"message":"overloaded","type":"server_error","code":"busy"}}\n\n',
      'overloaded',
    ],
    ['an error text', 'data: {"error":"overloaded"}\n\n', 'overloaded'],
    ['an error event', 'event: error\ndata: {"error":{"message":"overloaded","status_code":500}}\n\n', 'overloaded'],
    [
      'an error beside choices',
      chunk({
        choices: [{ index: 0, delta: { content: 'many words of an error' }, finish_reason: 'error' }],
        error: { code: 502, message: 'overloaded' },
      }),
      'overloaded',
    ],
    ['no JSON', 'data: Internal Server Error\n\n', 'the upstream sent an event that is not a JSON object'],
    [
      'an error that names a key',
      'data: {"error":{"message":"Incorrect API key provided: sk-abcdefgh12345678"}}\n\n',
      'Incorrect API key provided: ***',
    ],
  ];
  for (const [name, report, message] of reports) {
    test(`S1 RELAY-07 as ${name} is reported to the client, and its text costs nothing`, async () => {
      relay.upstream.behave(() => ({ events: [...events.slice(0, 4), report, ...events.slice(4)] }));
      const answer = await relay.ask({ key: user.key, body });
      const seen = brokenOf(answer);
      expect(seen).toMatchObject({ status: 200, complete: false, text: events.slice(0, 4).join('') });
      expect(JSON.parse(errorEvent.exec(answer.text)?.[1] ?? '')).toMatchObject({
        error: { message: `${message} (request id: ${answer.requestId})` },
      });
      expect(await relay.chargeOf(answer.requestId)).toEqual(priceOf(4));
      expect(await relay.logOf(answer.requestId)).toMatchObject({
        is_stream: 1,
        completion_tokens: textTokens(words.slice(0, 3).join('')),
      });
      expect(JSON.parse(String((await relay.logOf(answer.requestId))?.['detail']))).toMatchObject({
        cut: 'failed',
        estimated: true,
      });
    });

    test(`RELAY-07 as ${name} before any content is an error answer, and costs nothing`, async () => {
      relay.upstream.behave(() => ({ events: [': wait\n\n', report] }));
      const answer = await relay.ask({ key: user.key, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.error['message']).toContain(message);
      expect(await relay.chargeOf(answer.requestId)).toBeNull();
    });
  }

  test('S1 an event larger than any that is allowed breaks the stream off', async () => {
    const large = delta({ content: 'x'.repeat(65 * 1024 * 1024) });
    relay.upstream.behave(() => ({ events: [...events.slice(0, 2), large, ...events.slice(2)] }));
    const answer = await relay.ask({ key: user.key, body });
    expect(brokenOf(answer)).toMatchObject({
      complete: false,
      code: 'bad_response_body',
      text: events.slice(0, 2).join(''),
    });
    expect(await relay.chargeOf(answer.requestId)).toEqual(priceOf(2));
  });
});

describe('an upstream that breaks off a plain answer', () => {
  for (const chunked of [false, true]) {
    test(`S1 RELAY-07 ${chunked ? 'in chunks' : 'of known length'}, at every byte, gives no answer and no charge`, async () => {
      const offsets = [0, 1, 50, 200, 300, 400, 450];
      for (const cutAfterBytes of offsets) {
        relay.upstream.behave(() => ({ cutAfterBytes, words: 40, ...(chunked && { chunked }) }));
        const answer = await relay.ask({ key: user.key });
        expect(answer.status, `cut at ${cutAfterBytes}`).toBe(502);
        expect(answer.error['code']).toBe('do_request_failed');
        expect(await relay.chargeOf(answer.requestId)).toBeNull();
      }
    });
  }
});

/** Answers every request with these bytes and closes. */
const startBytes = async (bytes: string): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
};

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const good = '{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}';
const oddAnswers: readonly (readonly [string, string])[] = [
  ['nothing at all', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['no HTTP', 'hello\r\n\r\n'],
  ['fewer bytes than announced', `${head}content-length: 500\r\n\r\n${good}`],
  ['half a JSON without a length', `${head}connection: close\r\n\r\n${good.slice(0, 30)}`],
  ['chunks without their end', `${head}transfer-encoding: chunked\r\n\r\n${good.length.toString(16)}\r\n${good}\r\n`],
  ['a chunk of no length', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n${good}\r\n0\r\n\r\n`],
  ['a packed answer that was not requested', `${head}content-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd`],
  ['two lengths', `${head}content-length: 3\r\ncontent-length: ${good.length}\r\n\r\n${good}`],
  [
    'a length and chunks',
    `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`,
  ],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'],
];

describe('an upstream that answers', () => {
  for (const [name, bytes] of oddAnswers) {
    test(`S1 RELAY-07 ${name} has failed: the client gets an error, and nothing is charged`, async () => {
      const { server, url } = await startBytes(bytes);
      try {
        const model = name.replaceAll(' ', '-');
        await relay.addChannel({ base_url: url, models: model });
        const answer = await relay.ask({ key: user.key, body: { messages, model } });
        expect(answer.status).toBe(502);
        expect(answer.error['message']).toMatch(/\(request id: \d+\)$/);
        expect(answer.error['message']).not.toContain('127.0.0.1');
        expect(await relay.chargeOf(answer.requestId)).toBeNull();
      } finally {
        server.close();
      }
    });
  }

  test('RELAY-01 with early hints first, and without a length, is relayed', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
    const { server, url } = await startBytes(`${hints}${head}connection: close\r\n\r\n${good}`);
    await relay.addChannel({ base_url: url, models: 'hints' });
    const answer = await relay.ask({
      key: user.key,
      body: JSON.stringify({ messages, model: 'hints' }),
      nonce: 'hints',
    });
    server.close();
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(good);
  });
});

test('RELAY-07 the ledger agrees after all of this', async () => {
  const faults = await relay.disagreements();
  // One upstream keeps no journal; one only left out its terminator.
  expect(faults.filter((fault) => !/^(S1|L7) (hints|end-at-9|end-at-10) /.test(fault))).toEqual([]);
});
