import { type Log, logSchema } from '@weir/contract/logs';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/http/passwords/passwords.ts';
import { openDatabase } from '../../../src/store/open-database.ts';
import { buildTestApp, testPassword } from '../../app/app.ts';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import { addRelayUser, type RelayUser } from '../../app/relay-user.ts';
import { chatClient } from '../../clients/chat-client.ts';
import { geminiClient } from '../../clients/gemini-client.ts';
import { messagesClient } from '../../clients/messages-client.ts';
import { responsesClient } from '../../clients/responses-client.ts';
import { startRaw } from '../../clients/raw-client.ts';
import { addUser } from '../../database/accounts.ts';
import { createTestStorage } from '../../database/database.ts';
import { startFakeUpstream } from '../../fakes/fake-upstream.ts';
import { parseObject } from '../../parsing/json.ts';

const model = 'house-model-7';
const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

let relay: RelayApp;
let user: RelayUser;
beforeAll(async () => {
  relay = await buildRelayApp({ unpriced: 'as on a first start' });
  await relay.addChannel({ models: `${model},gpt-5-foo,gpt-5` });
  user = await relay.addUser({ quota: 1_000_000_000 });
  relay.upstream.behave(() => ({ usage }));
});
afterAll(() => relay.close());

const findLogs = async (requestId: string): Promise<Log[]> =>
  v.parse(v.array(logSchema), await relay.root.data('GET', `/api/log/search?keyword=${requestId}`));
const chargeOf = async (asked = model): Promise<number | undefined> => {
  const { requestId, status, text } = await relay.ask({ key: user.key, body: { model: asked } });
  expect(status, text).toBe(200);
  return (await relay.chargeOf(requestId))?.amount;
};

describe('R5 C12 a model without a price', () => {
  test.each(
    [chatClient, messagesClient, responsesClient, geminiClient].flatMap((client) =>
      [false, true].map((stream) => [client.name, stream, client] as const),
    ),
  )('is refused in the words of %s before anything is sent or held, stream: %s', async (_, stream, client) => {
    const before = await relay.userBalance(user.userId);
    const sent = relay.upstream.journal().length;
    const question = { kind: 'text', model, stream } as const;
    const body = JSON.stringify(client.body(question));
    const answer = await relay.ask({ key: user.key, path: client.path(question), body });
    expect(answer.status, answer.text).toBe(403);
    expect(answer.text).toContain(`the model ${model} has no price: an administrator sets one under Models and prices`);
    expect(relay.upstream.journal()).toHaveLength(sent);
    expect(await relay.userBalance(user.userId)).toEqual(before);
    expect(await relay.app.db.read.selectFrom('holds').select('request_id').execute()).toEqual([]);
    await expect.poll(() => findLogs(answer.requestId)).toHaveLength(1);
    const [log] = await findLogs(answer.requestId);
    expect(log).toMatchObject({ refusal: { rule: 'model_unpriced', status: 403 }, quota: 0, model_name: model });
  });

  test('has the code model_unpriced, and is listed under Needs attention with what its calls get', async () => {
    const { error } = await relay.ask({ key: user.key, body: { model } });
    expect(error).toMatchObject({ code: 'model_unpriced', type: 'one_api_error' });
    expect(await relay.root.data('GET', '/api/prices/unpriced')).toEqual({
      rule: 'refuse',
      models: ['gpt-5-foo', model],
    });
  });

  test('never gets the price of a model whose name it begins with', async () => {
    const { error } = await relay.ask({ key: user.key, body: { model: 'gpt-5-foo' } });
    expect(error['code']).toBe('model_unpriced');
    expect(await chargeOf('gpt-5')).toBe((1000 * 1.25 + 100 * 10) / 2);
  });

  test('OPT-UnpricedModels costs the ratio of 30 or nothing where the operator wants that, from the next call on', async () => {
    await relay.setOption('UnpricedModels', 'fallback');
    expect(await chargeOf()).toBe(1100 * 30);
    await relay.setOption('UnpricedModels', 'free');
    expect(await chargeOf()).toBe(0);
    await relay.setOption('UnpricedModels', 'refuse');
    expect((await relay.ask({ key: user.key, body: { model } })).error['code']).toBe('model_unpriced');
  });

  test('works at the call after its price is set', async () => {
    const card = { rates: { input: '0', output: '0' } };
    await relay.root.data('PUT', '/api/prices/own', { model, card });
    expect(await chargeOf()).toBe(0);
    expect(await relay.root.data('GET', '/api/prices/unpriced')).toMatchObject({ models: ['gpt-5-foo'] });
    await relay.root.data('DELETE', `/api/prices/own?model=${model}`);
  });

  test('M3 an installation from before list prices keeps the ratio of 30 and its ratios until its operator decides', async () => {
    const storage = await createTestStorage();
    const old = await openDatabase(storage);
    const password_hash = await createPasswords({ memory: 64, passes: 1, parallelism: 1 }).hash(testPassword);
    await addUser(old, { username: 'root', role: role.root, password_hash });
    // Its root exists, so that no first start stores a price book: the migrations leave the tables of prices empty.
    await old.close();

    const database = { ...(await openDatabase(storage)), ...storage };
    const app = await buildTestApp({ database, unpriced: 'as on a first start' });
    const upstream = await startFakeUpstream();
    try {
      const root = await app.root();
      expect(await database.read.selectFrom('price_books').select('id').execute()).toEqual([]);
      expect(await root.data('GET', '/api/prices/unpriced')).toEqual({ rule: 'fallback', models: [] });
      const channel = { type: 8, name: 'old', key: upstream.key, base_url: upstream.url, group: 'default' };
      await root.data('POST', '/api/channel/', { ...channel, models: 'gpt-5,gpt-4o' });
      upstream.behave(() => ({ usage }));
      const { key } = await addRelayUser(app, { quota: 1_000_000_000 });
      const costs = [];
      for (const asked of ['gpt-5', 'gpt-4o']) {
        const messages = [{ role: 'user', content: 'Hi' }];
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ model: asked, messages });
        const { answer } = startRaw({ url: app.url, path: '/v1/chat/completions', headers, body });
        const { requestId } = await answer;
        const row = await database.read
          .selectFrom('logs')
          .select(['quota', 'detail'])
          .where('request_id', '=', requestId)
          .executeTakeFirstOrThrow();
        costs.push([row.quota, parseObject(row.detail)['price']]);
      }
      expect(costs).toEqual([
        [1100 * 30, { source: 'fallback' }],
        [(1000 + 100 * 4) * 2.5, { source: 'built_in' }],
      ]);
    } finally {
      await app.close();
      await upstream.close();
      await database.close();
      await storage.remove();
    }
  });
});
