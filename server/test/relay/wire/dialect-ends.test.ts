import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatClient } from '../../clients/chat-client.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { responsesForm } from '../../fakes/fake-responses.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { geminiClient } from '../../clients/gemini-client.ts';
import { parseObject } from '../../parsing/json.ts';
import { messagesClient } from '../../clients/messages-client.ts';
import type { DialectClient } from '../../clients/dialect-client.ts';
import { buildRelayApp, until, type RelayApp } from '../../app/relay-app.ts';
import { responsesClient } from '../../clients/responses-client.ts';

let relay: RelayApp;
const upstreams = new Map<string, FakeUpstream>();

beforeAll(async () => {
  relay = await buildRelayApp();
  const anthropic = await relay.addUpstream({ form: anthropicForm, path: /^\/v1\/messages$/, keyHeader: 'x-api-key' });
  const responses = await relay.addUpstream({ form: responsesForm, path: /^\/v1\/responses$/ });
  upstreams.set('claude-late', anthropic).set('gpt-own', responses).set('vendor', relay.upstream);
  await relay.addChannel({ type: 14, models: 'claude-late', base_url: anthropic.url, key: anthropic.key });
  await relay.addChannel({ type: 1, models: 'gpt-own', base_url: responses.url, key: responses.key });
  await relay.addChannel({ type: 8, models: 'vendor' });
  const prices = (value: number) =>
    JSON.stringify(Object.fromEntries([...upstreams.keys()].map((name) => [name, value])));
  await relay.setOption('ModelRatio', prices(1));
  await relay.setOption('CompletionRatio', prices(2));
});
afterAll(() => relay.close());

const pairs = [
  { client: chatClient, model: 'claude-late' },
  { client: messagesClient, model: 'claude-late' },
  { client: messagesClient, model: 'vendor' },
  { client: responsesClient, model: 'vendor' },
  { client: responsesClient, model: 'claude-late' },
  { client: responsesClient, model: 'gpt-own' },
  { client: geminiClient, model: 'vendor' },
  { client: geminiClient, model: 'claude-late' },
];

/** What each dialect says of a key that is none. */
const unknownKey = (client: DialectClient, requestId: string): object => {
  if (client === messagesClient)
    return { type: 'error', error: { type: 'authentication_error' }, request_id: requestId };
  if (client === geminiClient) return { error: { code: 401, status: 'UNAUTHENTICATED' } };
  return { error: { type: 'one_api_error' } };
};

describe.each(pairs.map((pair) => ({ ...pair, name: pair.client.name })))(
  '$name in front of $model',
  ({ client, model }) => {
    const start = (key: string, kind: 'text' | 'tools' = 'text') => {
      const {
        max_tokens: _,
        max_output_tokens: __,
        ...body
      } = Object.assign({ max_tokens: 0, max_output_tokens: 0 }, client.body({ kind, model, stream: true }));
      const limit = client === messagesClient ? { max_tokens: 100_000 } : {};
      return relay.start({
        key,
        path: client.path({ kind, model, stream: true }),
        body: JSON.stringify({ ...body, ...limit }),
      });
    };

    test('RELAY-03 RELAY-10 a stream that its balance does not cover ends properly, at the length limit', async () => {
      const { key, userId } = await relay.addUser({ quota: 2000 });
      upstreams.get(model)?.behave(() => ({ words: 5000 }));
      const answer = await start(key).answer;
      expect(answer.status, answer.text).toBe(200);
      expect(answer.complete).toBe(true);
      expect(client.readStream(answer.text)).toMatchObject({ finish: 'length', ended: true });
      const { used } = await relay.userBalance(userId);
      expect(used).toBeGreaterThan(1000);
      expect(used).toBeLessThanOrEqual(2000);
      await until(() => upstreams.get(model)?.running() === 0);
    });

    test('RELAY-10 a client that leaves ends the upstream request, and pays for what it got', async () => {
      const { key } = await relay.addUser();
      upstreams.get(model)?.behave(() => ({ words: 3000, eventDelayMs: 2 }));
      const call = start(key);
      await until(() => call.received() > 3000);
      call.request.destroy();
      await until(() => upstreams.get(model)?.running() === 0);
      await relay.settled();
      expect(upstreams.get(model)?.journal().at(-1)?.completed).toBe(false);
      const last = await relay.app.db.read
        .selectFrom('ledger')
        .select(['amount', 'estimated'])
        .where('kind', '=', 'use')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      expect(last.estimated).toBe(1);
      expect(last.amount).toBeGreaterThan(10);
      expect(last.amount).toBeLessThan(2 * 3 * 3000);
    });

    test('RELAY-08 refusals have the form of the dialect, with the id of the request', async () => {
      const poor = await relay.addUser({ quota: 1 });
      const refused = await start(poor.key).answer;
      expect(refused.status).toBe(403);
      expect(refused.error['message']).toMatch(/quota is not enough.*\(request id: \d+\)$/);
      const unknown = await start('sk-unknown').answer;
      expect(unknown.status).toBe(401);
      expect(parseObject(unknown.text)).toMatchObject(unknownKey(client, unknown.requestId));
    });
  },
);
