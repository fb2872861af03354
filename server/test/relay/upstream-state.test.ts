import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp, testPrice, until } from '../app/relay-app.ts';
import { responsesForm } from '../fakes/fake-responses.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { textAt } from '../../src/conversation/json.ts';

let relay: RelayApp;
let upstream: FakeUpstream;
const model = 'gpt-own';
const path = '/v1/responses';
/** What the upstream is believed to keep where nothing else is known. */
const window = 131_072;

beforeAll(async () => {
  relay = await buildRelayApp();
  upstream = await relay.addUpstream({ form: responsesForm, path: /^\/v1\/responses$/ });
  await relay.addChannel({ type: 1, models: model, base_url: upstream.url, key: upstream.key });
  await relay.setOption('ModelRatio', JSON.stringify({ [model]: 1, 'weir-test': 1 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [model]: 2, 'weir-test': 2 }));
});
afterAll(() => relay.close());

const respond = (key: string, members: object) =>
  relay.ask({ key, path, body: JSON.stringify({ model, input: 'Go on', max_output_tokens: 16, ...members }) });
const usage = (prompt: number, completion = 2) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const sent = (): number => upstream.journal().length;

test('S5 what follows a response holds what the upstream keeps of it', async () => {
  const user = await relay.addUser({ quota: 250_000 });
  upstream.behave(() => ({ words: 2, usage: usage(100_000) }));
  const first = await respond(user.key, {});
  expect(first.status).toBe(200);
  const left = 250_000 - testPrice({ prompt: 100_000, completion: 2 });
  const id = textAt(first.json, 'id');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  upstream.behave(() => ({ words: 2, usage: usage(100_010), until: gate }));
  const before = sent();
  const calls = Array.from({ length: 40 }, () => respond(user.key, { previous_response_id: id }));
  await until(() => upstream.running() === 1);
  const held = await relay.userBalance(user.userId);
  open();
  const answers = await Promise.all(calls);
  expect(sent() - before).toBe(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ error }) => error['code']))).toEqual(
    new Set(['insufficient_user_quota']),
  );
  expect(held.available + held.held).toBe(left);
  const { used } = await relay.userBalance(user.userId);
  expect(used).toBe(testPrice({ prompt: 100_000, completion: 2 }) + testPrice({ prompt: 100_010, completion: 2 }));
  await relay.settled();
});

for (const stream of [false, true]) {
  test(`S5 an id that a ${stream ? 'stream' : 'whole answer'} gave to another user is not found, and reaches no upstream`, async () => {
    const owner = await relay.addUser({ quota: 10_000_000 });
    const stranger = await relay.addUser({ quota: 10_000_000 });
    upstream.behave(() => ({ words: 2 }));
    const given = await respond(owner.key, { stream });
    const id = /"(resp_[\w-]+)"/.exec(given.text)?.[1] ?? '';
    const item = /"((?:msg|rs)_[\w-]+)"/.exec(given.text)?.[1] ?? '';
    expect(id).not.toBe('');
    const before = sent();
    const refused = await respond(stranger.key, { previous_response_id: id });
    expect([refused.status, refused.error]).toMatchObject([
      400,
      { type: 'invalid_request_error', param: 'previous_response_id', code: 'previous_response_not_found' },
    ]);
    const other = await respond(stranger.key, { input: [{ type: 'item_reference', id: item }] });
    expect([other.status, other.error['code']]).toEqual([404, 'item_not_found']);
    expect(sent()).toBe(before);
    expect((await respond(owner.key, { previous_response_id: id })).status).toBe(200);
  });
}

test('S5 an item of a running stream is its owner’s as soon as it has appeared', async () => {
  const owner = await relay.addUser({ quota: 10_000_000 });
  const stranger = await relay.addUser({ quota: 10_000_000 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const event = (type: string, members: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const item = (id: string) => ({ item: { id, type: 'message', role: 'assistant', content: [] } });
  const response = { id: 'resp_of_two', object: 'response', output: [], usage: null };
  const events = [
    event('response.created', { response }),
    event('response.output_item.added', { output_index: 0, ...item('msg_first') }),
    event('response.output_text.delta', { output_index: 0, delta: 'river' }),
    event('response.output_item.added', { output_index: 1, ...item('msg_second') }),
    event('response.output_text.delta', { output_index: 1, delta: 'stone' }),
  ];
  upstream.behave(({ stream }) => (stream ? { events, pause: { afterEvents: 5, until: gate } } : { words: 2 }));
  const body = JSON.stringify({ model, input: 'Go on', stream: true });
  const call = relay.start({ key: owner.key, path, body });
  await until(() => call.received() >= Buffer.byteLength(events.join('')));
  const before = sent();
  for (const id of ['msg_first', 'msg_second']) {
    const refused = await respond(stranger.key, { input: [{ type: 'item_reference', id }] });
    expect([refused.status, refused.error['code']]).toEqual([404, 'item_not_found']);
  }
  expect(sent()).toBe(before);
  open();
  await call.answer;
  await relay.settled();
});

test('S5 a stream that its client leaves has given its id too', async () => {
  const owner = await relay.addUser({ quota: 10_000_000 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  upstream.behave(() => ({ words: 20, pause: { afterEvents: 6, until: gate } }));
  const body = JSON.stringify({ model, input: 'Go on', stream: true });
  const call = relay.start({ key: owner.key, path, body });
  await until(() => call.received() > 0);
  call.request.destroy();
  await call.answer;
  open();
  const rows = await relay.app.db.read
    .selectFrom('upstream_states')
    .select('id')
    .where('user_id', '=', owner.userId)
    .execute();
  expect(rows.some(({ id }) => id.startsWith('resp_'))).toBe(true);
  await relay.settled();
});

test('S5 an id that nothing is known of holds a context window, one call at a time', async () => {
  const poor = await relay.addUser({ quota: window });
  upstream.behave(() => ({ words: 2 }));
  const refused = await respond(poor.key, { previous_response_id: 'resp_before' });
  expect([refused.status, refused.error['code']]).toEqual([403, 'insufficient_user_quota']);
  const user = await relay.addUser({ quota: 10_000_000 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  upstream.behave(() => ({ words: 2, until: gate }));
  const first = respond(user.key, { previous_response_id: 'resp_before' });
  await until(() => upstream.running() === 1);
  const second = await respond(user.key, { previous_response_id: 'resp_before' });
  expect([second.status, second.error['code']]).toEqual([429, 'unknown_state']);
  await until(async () => (await relay.userBalance(user.userId)).held >= window);
  open();
  expect((await first).status).toBe(200);
  expect((await respond(user.key, { previous_response_id: 'resp_before' })).status).toBe(200);
  await relay.settled();
});

test('S5 what names files, stored prompts or caches of the vendor holds a context window too', async () => {
  const poor = await relay.addUser({ quota: 50_000 });
  const part = { type: 'file', file: { file_id: 'file-1' } };
  const before = relay.upstream.journal().length;
  await relay.addChannel();
  const chat = { messages: [{ role: 'user', content: [part] }] };
  const answer = await relay.ask({ key: poor.key, body: chat });
  expect([answer.status, answer.error['code']]).toEqual([403, 'insufficient_user_quota']);
  const quoted = { messages: [{ role: 'user', content: JSON.stringify(part) }] };
  expect((await relay.ask({ key: poor.key, body: { ...quoted, max_tokens: 5 } })).status).toBe(200);
  expect((await respond(poor.key, { prompt: { id: 'pmpt_1' } })).error['code']).toBe('insufficient_user_quota');
  expect(relay.upstream.journal()).toHaveLength(before + 1);
});
