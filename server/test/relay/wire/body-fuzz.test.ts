import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser({ quota: 1_000_000, allocation: 500_000 });
});
afterAll(() => relay.close());

const runs = { numRuns: 150 };
const nasty = fc.constantFrom(-1, -0, 0, 1.5, 2 ** 31, 2 ** 53, 1e308, '1e3', 'NaN', '', true, null, [], {}, [[]]);
const value = fc.oneof(nasty, fc.jsonValue());
const known = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'user',
  'temperature',
  'tools',
  '__proto__',
  'constructor',
];
const valid = { model: testModel, messages: [{ role: 'user', content: 'hello' }] };

/** What holds for every answer: no failure of the gateway, and no internal details. */
const judge = async (
  body: string | Buffer,
  to: { readonly path?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> => {
  const before = await relay.userBalance(user.userId);
  const answer = await relay.ask({ key: user.key, body, nonce: '', ...to });
  const shown = `${String(body).slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 300)}`;
  expect([200, 400, 403, 503], shown).toContain(answer.status);
  if (answer.status === 503) expect(answer.text, shown).toContain('no available channel for model');
  if (answer.status !== 200) expect(answer.text, shown).toContain(`(request id: ${answer.requestId})`);
  expect(answer.text, shown).not.toMatch(/\bat .*\.ts:\d|node:internal|TypeError/);
  const after = await relay.userBalance(user.userId);
  // No request may add quota.
  expect(after.available, shown).toBeLessThanOrEqual(before.available);
  if (answer.status !== 200) expect({ ...after, held: 0 }, shown).toEqual({ ...before, held: 0 });
};

test('RELAY-01 B07 members of any kind are accepted or refused, and never cause a failure', async () => {
  const members = fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), value, { maxKeys: 4 });
  const body = members.map((some) => JSON.stringify({ ...valid, ...some }));
  await expect(
    fc.assert(
      fc.asyncProperty(body, (some) => judge(some)),
      runs,
    ),
  ).resolves.toBeUndefined();
}, 120_000);

test('RELAY-01 any JSON is accepted or refused', async () => {
  await expect(
    fc.assert(
      fc.asyncProperty(fc.json(), (some) => judge(some)),
      runs,
    ),
  ).resolves.toBeUndefined();
}, 120_000);

/** The text with up to three other bytes. */
const damaged = (text: Buffer) =>
  fc.array(fc.tuple(fc.nat(text.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }).map((offsets) => {
    const bytes = Buffer.from(text);
    for (const [at, byte] of offsets) bytes[at] = byte;
    return bytes;
  });

test('RELAY-01 a valid body with damaged bytes is accepted or refused', async () => {
  const members = { ...valid, stream: true, stream_options: { include_usage: false }, pad: 'é水🌊' };
  const bodies = damaged(Buffer.from(JSON.stringify(members)));
  await expect(
    fc.assert(
      fc.asyncProperty(bodies, (body) => judge(body)),
      runs,
    ),
  ).resolves.toBeUndefined();
}, 120_000);

test('RELAY-01 an upload with damaged bytes, with any boundary, is accepted or refused', async () => {
  const part = (head: string, text: string) => `--bXb\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  // No channel serves the model: any upload that can still be parsed is refused by its model.
  const form = `${part('name="model"', 'unheard-of')}${part('name="file"; filename="a.mp3"', 'sound')}--bXb--\r\n`;
  const boundaries = fc.oneof(fc.constantFrom('bXb', '"bXb"', '', '"', 'bX', 'x'.repeat(300)), fc.base64String());
  const upload = fc.asyncProperty(damaged(Buffer.from(form)), boundaries, (body, boundary) =>
    judge(body, {
      path: '/v1/audio/transcriptions',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }),
  );
  await expect(fc.assert(upload, runs)).resolves.toBeUndefined();
}, 120_000);

test('RELAY-01 bytes of any kind are accepted or refused', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some));
  await expect(
    fc.assert(
      fc.asyncProperty(bytes, (some) => judge(some)),
      runs,
    ),
  ).resolves.toBeUndefined();
}, 120_000);

test('RELAY-07 leaves nothing held', async () => {
  await relay.settled();
  expect((await relay.userBalance(user.userId)).held).toBe(0);
  expect((await relay.tokenBalance(user.tokenId)).held).toBe(0);
  // Bodies without a name of their own cannot be joined with the journal: only the ledger is checked.
  expect((await relay.disagreements()).filter((fault) => /^L[1-5] |^L8 /.test(fault))).toEqual([]);
  expect(relay.app.logged()).not.toMatch(/"level":(50|60)/);
});
