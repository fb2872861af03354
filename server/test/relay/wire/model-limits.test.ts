import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPriceBook } from '../../../src/store/prices/price-books.ts';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';

const messages = [{ role: 'user', content: 'Count the drops.' }];
const claude = 'claude-opus-5-5';
const old = 'claude-3-haiku-20240307';
const plain = 'gpt-4o';

let relay: RelayApp;
let anthropic: FakeUpstream;

beforeAll(async () => {
  relay = await buildRelayApp();
  anthropic = await relay.addUpstream({ form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' });
  await relay.setOption('ModelRatio', JSON.stringify({ [claude]: 1, [old]: 1, [plain]: 1 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [claude]: 1, [old]: 1, [plain]: 1 }));
  await relay.addChannel({ type: 14, base_url: anthropic.url, key: anthropic.key, models: `${claude},${old}` });
  await relay.addChannel({ models: plain });
});
afterAll(() => relay.close());

const limitOf = async (upstream: FakeUpstream, body: Readonly<Record<string, unknown>>, quota = 1_000_000) => {
  const { key } = await relay.addUser({ quota });
  const answer = await relay.ask({ key, body: { messages, ...body } });
  expect(answer.status, answer.text).toBe(200);
  const { request } = upstream.journal().find((entry) => entry.request?.nonce === answer.nonce) ?? {};
  return { sent: request?.maxTokens, cap: answer.headers['x-weir-output-cap'] };
};

test('R12 Claude gets the longest answer of the price book, of the program for models that it lacks', async () => {
  expect((await limitOf(anthropic, { model: claude })).sent).toBe(128_000);
  expect((await limitOf(anthropic, { model: old })).sent).toBe(4096);
  expect((await limitOf(anthropic, { model: claude, max_tokens: 7 })).sent).toBe(7);
});

test('R12 a limit that the balance demands is never above what the model can', async () => {
  expect(await limitOf(relay.upstream, { model: plain, max_tokens: 50_000 }, 30_000)).toEqual({
    sent: 16_384,
    cap: '16384',
  });
  expect((await limitOf(relay.upstream, { model: plain, max_tokens: 50_000 })).sent).toBe(50_000);
});

test('R12 an approved price book decides from its approval on', async () => {
  const entry = { vendor: 'anthropic', model: claude, mode: 'chat' as const, from: '2026-11-01', output: 5000 };
  await relay.app.db.write
    .transaction()
    .execute((trx) =>
      insertPriceBook(trx, { book: { name: 'own', entries: [entry] }, source: 'file', actorId: 1, at: 1 }),
    );
  // A change of prices makes every node read the book again.
  await relay.root.data('PUT', '/api/prices/own', { model: 'other', card: { rates: { input: '1', output: '1' } } });
  await expect.poll(async () => (await limitOf(anthropic, { model: claude })).sent).toBe(5000);
});
