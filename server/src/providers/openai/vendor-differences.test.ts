import { afterAll, beforeAll, expect, test } from 'vitest';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { buildRelayApp, testPrice, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';
import { type FakeUpstream, madeText } from '../../../test/fakes/fake-upstream.ts';
import { promptTokens, textTokens } from '../../../test/oracles/count-tokens.ts';
import { eventData } from '../../../test/parsing/event-data.ts';
import { parseObject } from '../../../test/parsing/json.ts';

let relay: RelayApp;
let user: RelayUser;
/** Serves OpenAI's format below any path. */
let plainKeyed: FakeUpstream;

const types = [8, 16, 19, 22, 25, 26, 27, 28, 29, 31, 36];
const channelKey = 'sk-0123456789';

beforeAll(async () => {
  relay = await buildRelayApp();
  plainKeyed = await relay.addUpstream({ key: channelKey, path: /^\/type\d+\/v1\// });
  for (const { id } of vendorList.filter((vendor) => types.includes(vendor.id))) {
    const base_url = `${plainKeyed.url}/type${id}/v1`;
    await relay.addChannel({ type: id, base_url, key: channelKey, models: `model-${id}` });
  }
  await relay.setOption('ModelRatio', '{"model-8":1}');
  await relay.setOption('CompletionRatio', '{"model-8":2}');
  user = await relay.addUser();
});
afterAll(() => relay.close());

const messages = [{ role: 'user', content: 'What does a weir do?' }];
const prompt = promptTokens(messages);
const counted = (words: number) => ({
  amount: testPrice({ prompt, completion: textTokens(madeText(words)) }),
  estimated: 1,
});
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const done = 'data: [DONE]\n\n';
const ask = (type: number, stream: boolean) =>
  relay.ask({ key: user.key, body: { model: `model-${type}`, messages, stream } });

test('R44 PROVIDER-27 gives the usage of the whole message at the end to a client that requested it', async () => {
  const usage = { total_tokens: 20, prompt_tokens: 12, completion_tokens: 8 };
  const part = { id: 'c', choices: [{ index: 0, delta: { content: 'whole' }, finish_reason: 'stop' }] };
  const whole = { id: 'c', choices: [{ index: 0, message: { content: 'whole' }, finish_reason: 'stop' }], usage };
  plainKeyed.behave(() => ({ events: [event(part), event(whole)] }));
  const body = { model: 'model-27', messages, stream: true, stream_options: { include_usage: true } };
  const answer = await relay.ask({ key: user.key, body });
  expect(
    eventData(answer.text)
      .filter((data) => data.includes('usage'))
      .map(parseObject),
  ).toMatchObject([{ choices: [], usage }]);
});

test('R46 PROVIDER-22 gets an id and the model where FastGPT leaves them empty', async () => {
  const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }];
  plainKeyed.behave(() => ({ events: [event({ id: '', model: '', choices }), done] }));
  const [chunk = ''] = eventData((await ask(22, true)).text);
  const whole = { id: '', model: '', choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] };
  plainKeyed.behave(() => ({ body: JSON.stringify(whole) }));
  const { json } = await ask(22, false);
  for (const body of [parseObject(chunk), json]) {
    expect(body['id']).toMatch(/^chatcmpl-/);
    expect(body['model']).toBe('model-22');
  }
});

test('R18 a whole answer without usage gets the tokens that are charged', async () => {
  const whole = { id: 'c', choices: [{ index: 0, message: { content: madeText(6) }, finish_reason: 'stop' }] };
  plainKeyed.behave(() => ({ body: JSON.stringify(whole) }));
  const completion = textTokens(madeText(6));
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    const answer = await relay.ask({ key: user.key, path, body: { model: 'model-8', messages, max_tokens: 99 } });
    const { usage } = answer.json;
    const named = path === '/v1/messages' ? ['input_tokens', 'output_tokens'] : ['prompt_tokens', 'completion_tokens'];
    expect(usage).toMatchObject({ [named[0] ?? '']: prompt, [named[1] ?? '']: completion });
    expect(await relay.chargeOf(answer.requestId)).toEqual(counted(6));
  }
});

test('R18 a stream without usage gives the tokens that are charged, in another dialect too', async () => {
  const events = [event({ id: 'c', choices: [{ index: 0, delta: { content: madeText(6) }, finish_reason: 'stop' }] })];
  plainKeyed.behave(() => ({ events: [...events, done] }));
  const body = { model: 'model-8', messages, max_tokens: 99, stream: true };
  const answer = await relay.ask({ key: user.key, path: '/v1/messages', body });
  const last = eventData(answer.text)
    .map(parseObject)
    .findLast(({ usage }) => usage !== undefined);
  expect(last).toMatchObject({ usage: { input_tokens: prompt, output_tokens: textTokens(madeText(6)) } });
  expect(await relay.chargeOf(answer.requestId)).toEqual(counted(6));
});

test('R6 newer models of OpenAI get max_completion_tokens, and every other body stays as it is', async () => {
  plainKeyed.behave(() => ({ words: 2 }));
  await relay.addChannel({
    type: 1,
    base_url: `${plainKeyed.url}/type1/v1`,
    key: channelKey,
    models: 'gpt-5,gpt-4o',
  });
  const sent = async (model: string, members: string) => {
    const body = `{ "model":"${model}", ${members}, "seed":12345678901234567890, "messages":${JSON.stringify(messages)} }`;
    expect((await relay.ask({ key: user.key, body })).status).toBe(200);
    return [plainKeyed.journal().at(-1)?.body.toString(), body] as const;
  };
  const [changed] = await sent('gpt-5', '"max_tokens":9');
  expect(parseObject(changed ?? '')).toMatchObject({ max_completion_tokens: 9 });
  expect(changed).not.toContain('"max_tokens"');
  expect(changed).toContain('"seed":12345678901234567890');
  for (const [model, members] of [
    ['gpt-5', '"max_completion_tokens":9'],
    ['gpt-4o', '"max_tokens":9'],
  ] as const) {
    const [received, body] = await sent(model, members);
    expect(received).toBe(body);
  }
});

test('R6 R40 a body that a vendor takes stays byte for byte as it is', async () => {
  plainKeyed.behave(() => ({ words: 2 }));
  for (const type of [19, 25, 26, 27, 28, 29, 31, 36]) {
    const body = `{ "model":"model-${type}","temperature": 0.50,"messages":[{"role":"user", "content":"a" } ] }`;
    expect((await relay.ask({ key: user.key, body })).status).toBe(200);
    expect(plainKeyed.journal().at(-1)?.body.toString()).toBe(body);
  }
});

test.each([29, 16])('R6 type %i refuses several answers before the upstream does', async (type) => {
  const before = plainKeyed.journal().length;
  const answer = await relay.ask({ key: user.key, body: { model: `model-${type}`, messages, n: 2 } });
  expect([answer.status, answer.error['param']]).toEqual([400, 'n']);
  expect(plainKeyed.journal()).toHaveLength(before);
});

test('C78 a plain 403 does not look like a wrong key', async () => {
  plainKeyed.behave(() => ({ status: 403, body: JSON.stringify({ error: { message: 'model not allowed' } }) }));
  const answer = await ask(8, false);
  expect([answer.status, answer.error['code']]).toEqual([403, 'permission_denied']);
});
