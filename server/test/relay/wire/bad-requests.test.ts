import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser({ quota: 100_000, allocation: 50_000 });
});
afterAll(() => relay.close());

/** The upstream got no request, nothing is held, nothing was charged. */
const expectUntouched = async (): Promise<void> => {
  expect(relay.upstream.journal()).toEqual([]);
  expect(await relay.userBalance(user.userId)).toEqual({ available: 100_000, held: 0, used: 0 });
  expect(await relay.tokenBalance(user.tokenId)).toEqual({ available: 50_000, held: 0, used: 0 });
  expect(await relay.app.db.read.selectFrom('holds').selectAll().execute()).toEqual([]);
};

const messages = '"messages":[{"role":"user","content":"hi"}]';
const body = (members: string): string => `{"model":"${testModel}",${messages}${members === '' ? '' : `,${members}`}}`;
const deep = (levels: number): string => `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`;

interface Bad {
  readonly name: string;
  readonly body: string | Buffer;
  readonly status: number;
  readonly code: string;
  readonly message: RegExp;
}

const invalid = (name: string, text: string | Buffer, message: RegExp): Bad => ({
  name,
  body: text,
  status: 400,
  code: 'invalid_text_request',
  message,
});
const noJson = (name: string, text: string | Buffer, message = /^the body is not valid JSON/): Bad => ({
  name,
  body: text,
  status: 400,
  code: 'invalid_json',
  message,
});

const bad: readonly Bad[] = [
  noJson('nothing', ''),
  noJson('a word', 'hello'),
  noJson('half an object', body('').slice(0, -1)),
  noJson('an object and more', `${body('')} x`),
  noJson('a comma at the end', body('"x":1,')),
  noJson('single quotes', body("'x':1")),
  noJson('NaN', body('"x":NaN')),
  noJson('a number that is none', body('"x":01')),
  noJson('a byte of zero', `\0${body('')}`),
  noJson('a list', '[1]', /^the body must be a JSON object/),
  noJson('a text', '"text"', /^the body must be a JSON object/),
  noJson('null', 'null', /^the body must be a JSON object/),
  noJson('65 levels', body(deep(64)), /nested deeper than 64 levels/),
  noJson('100,000 levels', body(deep(100_000)), /nested deeper than 64 levels/),
  noJson('100,000 levels that are never closed', '['.repeat(100_000), /nested deeper than 64 levels|not valid JSON/),
  noJson('a model named twice', body(`"model":"other"`), /^duplicate member model/),
  noJson('a model named twice by an escape', body(String.raw`"mod\u0065l":"other"`), /^duplicate member model/),
  noJson('a repeated stream member', body('"stream":true,"stream":false'), /^duplicate member stream/),
  invalid('no model', `{${messages}}`, /^model is required/),
  invalid('an empty model', `{"model":"",${messages}}`, /^model is required/),
  invalid('a model of null', `{"model":null,${messages}}`, /^model is required/),
  invalid('a model that is a number', `{"model":5,${messages}}`, /^model must be a string/),
  invalid('a model that is an object', `{"model":{"a":1},${messages}}`, /^model must be a string/),
  invalid('a model of 4,000 characters', `{"model":"${'m'.repeat(4000)}",${messages}}`, /^model is too long/),
  invalid('a model with a broken escape', `{"model":"\\x",${messages}}`, /^model/),
  invalid('no messages', `{"model":"${testModel}"}`, /^field messages is required/),
  invalid('messages of null', `{"model":"${testModel}","messages":null}`, /^(field )?messages/),
  invalid('messages that are a text', `{"model":"${testModel}","messages":"hi"}`, /^messages must be a list/),
  invalid('messages that are an object', `{"model":"${testModel}","messages":{}}`, /^messages must be a list/),
  invalid('a stream that is a text', body('"stream":"true"'), /^stream must be a boolean/),
  invalid('a stream that is a number', body('"stream":1'), /^stream must be a boolean/),
  ...['-1', '1.5', '1e308', '1e999', '1073741824', '9007199254740993', '"5"', '"1e3"', '[5]', '{}', 'true'].flatMap(
    (value) => [
      invalid(`max_tokens ${value}`, body(`"max_tokens":${value}`), /^max_tokens is invalid/),
      invalid(`max_completion_tokens ${value}`, body(`"max_completion_tokens":${value}`), /^max_tokens is invalid/),
    ],
  ),
  ...['-1', '0', '1.5', '129', '1e308', '"1"', '[1]', 'true', '-0'].map((value) =>
    invalid(`n ${value}`, body(`"n":${value}`), /^n is invalid/),
  ),
  {
    name: 'a model that no channel serves',
    body: `{"model":"nothing",${messages}}`,
    status: 503,
    code: '',
    message: /^no available channel for model nothing under the current group default/,
  },
  {
    name: 'a path for a model',
    body: `{"model":"../../etc/passwd",${messages}}`,
    status: 503,
    code: '',
    message: /^no available channel for model /,
  },
];

describe('a request that cannot be served', () => {
  for (const { name, body: text, status, code, message } of bad) {
    test(`RELAY-01 with ${name} is refused with ${status} and a reason, and costs nothing`, async () => {
      const answer = await relay.ask({ key: user.key, body: text });
      expect(answer.status).toBe(status);
      expect(answer.error['message']).toMatch(message);
      expect(answer.error['message']).toMatch(new RegExp(`\\(request id: ${answer.requestId}\\)$`));
      expect(answer.error['code'] ?? '').toBe(code);
      expect(answer.error['type']).toBe('one_api_error');
      await expectUntouched();
    });
  }

  test('RELAY-07 is refused with the needed and the available quota if the account has too little', async () => {
    const poor = await relay.addUser({ quota: 5 });
    const answer = await relay.ask({ key: poor.key });
    expect(answer.status).toBe(403);
    expect(answer.error).toMatchObject({ code: 'insufficient_user_quota', type: 'one_api_error', param: '' });
    const [, needed, available] =
      /^user quota is not enough: (\d+) needed, (\d+) available /.exec(String(answer.error['message'])) ?? [];
    expect(Number(needed)).toBeGreaterThan(5);
    expect(available).toBe('5');
  });

  test('RELAY-07 is refused in the same way if only the token has too little', async () => {
    const poor = await relay.addUser({ allocation: 5 });
    const answer = await relay.ask({ key: poor.key });
    expect(answer.status).toBe(403);
    expect(answer.error['code']).toBe('pre_consume_token_quota_failed');
    expect(answer.error['message']).toMatch(/^token quota insufficient: \d+ needed, 5 available /);
  });
});

const mebibyte = 1024 * 1024;
const padded = (bytes: number): Buffer => {
  const [head, tail] = [`{"model":"nothing",${messages},"pad":"`, '"}'];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length - tail.length, 0x78), Buffer.from(tail)]);
};

describe('a large body', () => {
  const tooLarge = { status: 413, code: 'body_too_large' };
  const seen = (answer: Awaited<ReturnType<RelayApp['ask']>>) => ({
    status: answer.status,
    code: answer.error['code'],
  });

  test('RELAY-01 of exactly 50 MiB is read, of one byte more refused', async () => {
    expect((await relay.ask({ key: user.key, body: padded(50 * mebibyte) })).status).toBe(503);
    const over = await relay.ask({ key: user.key, body: padded(50 * mebibyte + 1) });
    expect(seen(over)).toEqual(tooLarge);
    expect(over.error['message']).toContain('larger than 52428800 bytes');
  });

  test('RELAY-01 sent in chunks is refused as soon as it is too large', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    expect(seen(await relay.ask({ key: user.key, body: padded(51 * mebibyte), headers }))).toEqual(tooLarge);
  });

  test('RELAY-01 that is small only while compressed is refused', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
    expect(bomb.length).toBeLessThan(mebibyte);
    expect(seen(await relay.ask({ key: user.key, body: bomb, headers }))).toEqual(tooLarge);
  });

  test('RELAY-01 of 60 MB is refused before it is sent, and the client can read why', async () => {
    const { hostname, port } = new URL(relay.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = ['POST /v1/chat/completions HTTP/1.1', 'host: weir', `authorization: Bearer ${user.key}`];
    socket.write([...head, 'content-type: application/json', 'content-length: 60000000', '', ''].join('\r\n'));
    await expect
      .poll(() => answer)
      .toMatch(/^HTTP\/1\.1 413 [^]*body_too_large[^]*"\}\}$|^HTTP\/1\.1 413 [^]*"code":"body_too_large"\}\}/);
    socket.write(Buffer.alloc(256 * 1024, 0x20));
    await closed;
  });

  test('RELAY-01 with an unsupported content encoding is refused', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd', 'x']) {
      const answer = await relay.ask({ key: user.key, headers: { 'content-encoding': encoding } });
      expect(seen(answer)).toEqual({ status: 415, code: 'body_encoding' });
    }
    const torn = await relay.ask({
      key: user.key,
      body: gzipSync(body('')).subarray(0, 30),
      headers: { 'content-encoding': 'gzip' },
    });
    expect(seen(torn)).toEqual({ status: 400, code: 'invalid_json' });
  });

  test('RELAY-01 leaves nothing held or charged', async () => {
    await relay.settled();
    expect(relay.upstream.running()).toBe(0);
    await expectUntouched();
  });
});

test('RELAY-08 a wrong key is refused before the body is read', async () => {
  const answer = await relay.ask({ key: 'wrong', body: padded(30 * mebibyte) });
  expect(answer.status).toBe(401);
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
