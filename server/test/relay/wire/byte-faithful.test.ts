import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel({ models: 'weir-test,alias', model_mapping: '{"alias":"weir-test"}' });
  user = await relay.addUser();
});
afterAll(() => relay.close());

/** Latin-1 shows every byte as one character, so that a difference can be read. */
const shown = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? 'nothing';

const receivedFor = (nonce: string): string => {
  const requests = relay.upstream.journal().filter((entry) => entry.request?.nonce === nonce);
  expect(requests).toHaveLength(1);
  return shown(requests[0]?.body);
};

/** Everything that a parser between would change: numbers, escapes, spaces, order, names that occur twice. */
const oddAnswer = Buffer.concat([
  Buffer.from(
    '\n {\t"id" : "chatcmpl-1","object":"chat.completion", "seed":12345678901234567890123, "tiny":1e-400,"huge":1E400,\r\n' +
      '"zero":-0.0,"hundred":1.00e+2,"twice":1,"twice":2,"\\u00e9":"\\u00e9","slash":"\\/","pair":"\\ud83c\\udf0a","lone":"\\ud83c",' +
      '"choices":[{"index":0,"message":{"role":"assistant","content":"水 🌊 ',
  ),
  // Not UTF-8: the gateway must not repair it.
  Buffer.from([0xe9, 0xff]),
  Buffer.from(
    '","unknown":{"deep":[[[]]]}},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,"extra":0.1000}}\n\n',
  ),
]);

describe('a plain answer', () => {
  for (const chunked of [false, true]) {
    test(`RELAY-01 reaches the client as upstream sent it, ${chunked ? 'in chunks' : 'with its length in front'}`, async () => {
      relay.upstream.behave(() => ({ body: oddAnswer, pieceBytes: 97, ...(chunked && { chunked }) }));
      const answer = await relay.ask({ key: user.key });
      expect(answer.status).toBe(200);
      expect(shown(answer.body)).toBe(shown(oddAnswer));
      expect(answer.headers['content-length']).toBe(String(oddAnswer.length));
      expect(await relay.chargeOf(answer.requestId)).toMatchObject({ amount: 7 + 2 * 3, estimated: 0 });
    });
  }

  test('RELAY-01 R32 W8 keeps its status, its type and the headers that a client needs, and no others', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8; odd=1',
      'openai-processing-ms': '17',
      'set-cookie': 'a=b',
      'openai-organization': 'the-operators',
      'x-ratelimit-remaining-tokens': '5',
      server: 'upstream',
      'access-control-allow-origin': 'https://upstream.example',
    };
    relay.upstream.behave(() => ({ status: 201, headers, words: 3 }));
    const answer = await relay.ask({ key: user.key });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8; odd=1',
      'openai-processing-ms': '17',
      'x-ratelimit-remaining-tokens': '5',
    });
    expect(answer.headers['x-request-id']).toMatch(/^chatcmpl-/);
    for (const name of ['set-cookie', 'server', 'access-control-allow-origin', 'openai-organization'])
      expect(answer.headers).not.toHaveProperty(name);
  });

  test('RELAY-01 of two megabytes arrives whole', async () => {
    const content = '水'.repeat(700_000);
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const body = Buffer.from(JSON.stringify({ choices: [{ message: { content } }], usage }));
    relay.upstream.behave(() => ({ body }));
    const answer = await relay.ask({ key: user.key });
    expect(answer.body.equals(body)).toBe(true);
  });
});

const chunk = (delta: object, members: object = {}): string =>
  JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }], ...members });
const usageChunk = `{"id":"c","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9},"x":1e400}`;

/** A stream in the variants that servers write; the usage chunk is the last but one. */
const oddEvents = [
  `\ufeffdata: ${chunk({ role: 'assistant', content: '' })}\n\n`,
  ': PROCESSING\n\n',
  `data:${chunk({ content: '水 🌊' })}\r\n\r\n`,
  `event: message\nid: 7\ndata: ${chunk({ content: 'é' }, { big: 'B' }).replace('"B"', '12345678901234567890')}\n\n`,
  'retry: 10\r\r',
  'data: {"id":"c","choices":[{"index":0,\ndata: "delta":{"content":"two lines"}}]}\n\n',
  `data: ${chunk({}).replace('"delta":{}', '"delta":{ },\t"finish_reason":"stop"')}\n\n`,
  `data: ${usageChunk}\r\n\r\n`,
  'data: [DONE]\r\n\r\n',
];
const allEvents = Buffer.from(oddEvents.join(''));
const withoutUsage = Buffer.from(oddEvents.toSpliced(-2, 1).join(''));
const asksUsage = { stream: true, stream_options: { include_usage: true } };

describe('a stream', () => {
  test('RELAY-01 reaches the client that requested usage byte for byte', async () => {
    relay.upstream.behave(() => ({ events: oddEvents }));
    const answer = await relay.ask({ key: user.key, body: asksUsage });
    expect(shown(answer.body)).toBe(shown(allEvents));
    expect(answer.complete).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(await relay.chargeOf(answer.requestId)).toMatchObject({ amount: 5 + 2 * 4, estimated: 0 });
  });

  test('RELAY-01 lacks nothing but the usage chunk where the client did not ask for it', async () => {
    relay.upstream.behave(() => ({ events: oddEvents }));
    const answer = await relay.ask({ key: user.key, body: { stream: true } });
    expect(shown(answer.body)).toBe(shown(withoutUsage));
    expect(await relay.chargeOf(answer.requestId)).toMatchObject({ amount: 5 + 2 * 4, estimated: 0 });
  });

  test('RELAY-01 is the same wherever its bytes are cut on the way', async () => {
    const cutIn = ({ nonce }: { readonly nonce: string }) => Number(nonce.slice('cut-'.length));
    relay.upstream.behave((request) => ({
      events: [allEvents.subarray(0, cutIn(request)), allEvents.subarray(cutIn(request))],
    }));
    const cuts = Array.from({ length: allEvents.length - 1 }, (_, index) => index + 1);
    while (cuts.length > 0) {
      const some = cuts.splice(0, 50);
      const ask = (at: number) => relay.ask({ key: user.key, nonce: `cut-${at}`, body: { stream: true } });
      const answers = await Promise.all(some.map(ask));
      for (const answer of answers) expect(shown(answer.body), answer.nonce).toBe(shown(withoutUsage));
    }
    const [last] = relay.upstream.journal().slice(-1);
    expect(last?.eventsSent).toBe(2);
  });

  test('RELAY-01 is the same when every byte comes alone', async () => {
    relay.upstream.behave(() => ({ events: [allEvents], pieceBytes: 1 }));
    const answer = await relay.ask({ key: user.key, body: { stream: true } });
    expect(shown(answer.body)).toBe(shown(withoutUsage));
  });

  test('RELAY-01 keeps usage that comes with content, which is no usage chunk', async () => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
    const events = [
      `data: ${chunk({ content: 'a' })}\n\n`,
      `data: ${JSON.stringify({ ...last, usage })}\n\n`,
      'data: [DONE]\n\n',
    ];
    relay.upstream.behave(() => ({ events }));
    const answer = await relay.ask({ key: user.key, body: { stream: true } });
    expect(answer.text).toBe(events.join(''));
    expect(await relay.chargeOf(answer.requestId)).toMatchObject({ amount: 7, estimated: 0 });
  });

  test('RELAY-01 gets its terminator where upstream ends cleanly behind the finish reason without one', async () => {
    const events = oddEvents.slice(0, -1);
    relay.upstream.behave(() => ({ events }));
    const answer = await relay.ask({ key: user.key, body: asksUsage });
    expect(answer.text).toBe(`${events.join('')}data: [DONE]\n\n`);
    expect(answer.complete).toBe(true);
  });
});

/** A body as no library would write it, but valid. */
const oddBody = (nonce: string, members = '', model = 'weir-test'): string =>
  `\r\n{ "messages" :[{"role":"user","content":"水 \\u00e9\\/ 🌊","content2":1e400}],\t"user":"${nonce}","seed": 12345678901234567890123,` +
  `"metadata":{"model":"inner","stream":true},"logit_bias":{"50256":-0.0,"50256":1.50E+1},"model" : "${model}"${members} }\n`;

describe('a request', () => {
  beforeAll(() => relay.upstream.behave(() => undefined));

  const ask = (nonce: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    relay.ask({ key: user.key, nonce, body, headers });

  test('RELAY-01 reaches upstream as the client wrote it', async () => {
    const body = oddBody('plain-body');
    expect((await ask('plain-body', body)).status).toBe(200);
    expect(receivedFor('plain-body')).toBe(shown(Buffer.from(body)));
  });

  test('RELAY-01 reaches upstream inflated where the client packed it', async () => {
    const body = oddBody('packed-body');
    expect((await ask('packed-body', gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(receivedFor('packed-body')).toBe(shown(Buffer.from(body)));
    const entry = relay.upstream.journal().find(({ request }) => request?.nonce === 'packed-body');
    expect(entry?.headers).not.toHaveProperty('content-encoding');
  });

  test('RELAY-01 sent in chunks reaches upstream whole', async () => {
    const body = oddBody('chunked-body');
    expect((await ask('chunked-body', body, { 'transfer-encoding': 'chunked' })).status).toBe(200);
    expect(receivedFor('chunked-body')).toBe(shown(Buffer.from(body)));
  });

  test('RELAY-01 changes in its model alone when the channel redirects it', async () => {
    const body = oddBody('redirected', '', 'alias');
    expect((await ask('redirected', body)).status).toBe(200);
    expect(receivedFor('redirected')).toBe(shown(Buffer.from(body.replace('"alias"', '"weir-test"'))));
  });

  test('RELAY-01 may name its model with escapes', async () => {
    const body = oddBody('escaped', '', String.raw`weir\u002dtest`);
    expect((await ask('escaped', body)).status).toBe(200);
    expect(receivedFor('escaped')).toBe(shown(Buffer.from(body)));
  });

  test('RELAY-01 for a stream requests the usage and is otherwise unchanged', async () => {
    const body = oddBody('stream-body', ',"stream":true');
    expect((await ask('stream-body', body)).status).toBe(200);
    const got = receivedFor('stream-body');
    const added = '"stream_options":{"include_usage":true},';
    expect(got).toContain(added);
    expect(got.replace(added, '')).toBe(shown(Buffer.from(body)));
  });

  const optionTexts: readonly (readonly [string, string])[] = [
    ['{"include_usage" : false , "x":1.0}', '{"include_usage" : true , "x":1.0}'],
    ['{ "x" : 1.0 }', '{"include_usage":true, "x" : 1.0 }'],
    ['{ }', '{"include_usage":true }'],
    ['{"include_usage":null}', '{"include_usage":true}'],
    ['null', '{"include_usage":true}'],
    ['{"include_usage":true,"include_obfuscation":false}', '{"include_usage":true,"include_obfuscation":false}'],
  ];
  for (const [index, [given, options]] of optionTexts.entries()) {
    test(`RELAY-01 with the stream options ${given} changes in them alone`, async () => {
      const nonce = `stream-options-${index}`;
      const body = oddBody(nonce, `, "stream_options" : ${given} ,"stream":true`);
      const answer = await ask(nonce, body);
      expect(answer.complete).toBe(true);
      expect(receivedFor(nonce)).toBe(shown(Buffer.from(body.replace(given, options))));
      // Only a client that requested the usage gets it.
      expect(answer.text.includes('"choices":[],')).toBe(given === options);
    });
  }

  test('RELAY-01 never forwards what a client sends only to the gateway', async () => {
    const headers = {
      cookie: 'session=secret',
      'x-forwarded-for': '1.2.3.4',
      forwarded: 'for=1.2.3.4',
      'x-api-key': 'secret',
      'openai-organization': 'org',
      'accept-encoding': 'gzip, br',
      referer: 'https://client.example',
      'user-agent': 'client/1',
    };
    expect((await ask('headers', oddBody('headers'), headers)).status).toBe(200);
    const entry = relay.upstream.journal().find(({ request: chat }) => chat?.nonce === 'headers');
    const names = [
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
    ];
    expect(Object.keys(entry?.headers ?? {}).toSorted()).toEqual(names);
    expect(entry?.headers).toMatchObject({ 'accept-encoding': 'identity', host: new URL(relay.upstream.url).host });
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
