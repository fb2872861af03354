import { fetchChannelModels } from '@weir/contract/channels';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import {
  anthropicLists,
  bedrockLists,
  cloudflareLists,
  cohereLists,
  geminiLists,
  type ModelList,
  ollamaLists,
  openAiLists,
  replicateLists,
  startModelLists,
} from '../../../test/fakes/vendors/fake-model-lists.ts';
import { createFakeVertex } from '../../../test/fakes/vendors/fake-vertex.ts';

const path = '/api/channel/fetch_models';

let relay: RelayApp;
beforeAll(async () => {
  relay = await buildRelayApp();
});
afterAll(() => relay.close());

const fetchModels = async (body: object, caller: Pick<RelayApp['root'], 'data'> = relay.root) =>
  v.parse(fetchChannelModels.data, await caller.data('POST', path, body));
const namesOf = async (body: object) => (await fetchModels(body)).models.map(({ name }) => name);
const refused = (body: object) => relay.root.refused('POST', path, body);

const withList = async (
  list: ModelList,
  run: (lists: Awaited<ReturnType<typeof startModelLists>>) => Promise<void>,
) => {
  const lists = await startModelLists(list);
  try {
    await run(lists);
  } finally {
    await lists.close();
  }
};

const plain = ['gpt-b', 'gpt-a'];
const vertexNames = ['gemini-2.5-pro', 'gemini-3.8-flash', 'claude-opus-5-5'];

/** Every type whose provider has a list: its base URL, and what is listed. */
type Case = readonly [type: number, base: string, list: ModelList, names: readonly string[], more?: object];
const types: readonly Case[] = [
  ...[1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 25, 27, 28, 31, 32, 36, 44, 45].map(
    (type) => [type, '', openAiLists, plain] as const,
  ),
  ...[1, 36, 44].map((type) => [type, '/v1', openAiLists, plain] as const),
  [39, '/together', openAiLists, ['Qwen/Qwen3']],
  [20, '/api', openAiLists, ['vendor/model']],
  [29, '/openai', openAiLists, ['groq-model']],
  ...[41, 50, 51].map((type) => [type, '/openai', openAiLists, ['at-address']] as const),
  [24, '/openai', openAiLists, ['at-address']],
  [30, '/v1', openAiLists, plain],
  [40, '', openAiLists, ['doubao-seed']],
  [47, '', openAiLists, ['ernie-5']],
  [17, '', openAiLists, ['qwen3.8-max']],
  [17, '/compatible-mode', openAiLists, ['qwen3.8-max']],
  [49, '', openAiLists, ['qwen3.8-max']],
  [16, '', openAiLists, ['glm-5.3']],
  [16, '/api/paas/v4', openAiLists, ['glm-5.3']],
  [14, '', anthropicLists, ['claude-opus-5-5', 'claude-haiku-4-5-20251001']],
  [14, '/v1', anthropicLists, ['claude-opus-5-5', 'claude-haiku-4-5-20251001']],
  [24, '', geminiLists, ['gemini-2.5-pro', 'gemini-embedding-001', 'gemini-3.8-flash']],
  [24, '', geminiLists, ['gemini-v1'], { other: 'v1' }],
  [35, '', cohereLists, ['command-a', 'rerank-v4']],
  [35, '/v1', cohereLists, ['command-a', 'rerank-v4']],
  [30, '', ollamaLists, ['llama3:latest']],
  [46, '/v1/models', replicateLists, ['black-forest-labs/flux-2']],
  [
    33,
    '',
    bedrockLists,
    ['amazon.nova-lite-v1:0', 'claude-3-haiku-20240307', 'claude-opus-5-5', 'global.anthropic.claude-opus-5-5'],
  ],
];

describe('C32 each type lists the models of its provider in its own way', () => {
  for (const [type, base, list, names, more] of types) {
    const other = more === undefined ? '' : `, with ${JSON.stringify(more)}`;
    test(`C32 PROVIDER-${type} at base URL "${base}"${other}`, async () => {
      await withList(list, async ({ url, key }) => {
        expect(await namesOf({ type, key, base_url: url + base, ...more })).toEqual(names);
      });
    });
  }

  test('C32 PROVIDER-37 reads the numbered pages of Workers AI, and the models that it serves as OpenAI does', async () => {
    await withList(cloudflareLists, async ({ url, key, requests }) => {
      const names = await namesOf({ type: 37, key, base_url: url, other: 'acc1' });
      expect(names).toHaveLength(100);
      expect(names).not.toContain('@cf/maker/model-0');
      expect(requests).toHaveLength(2);
      expect(await refused({ type: 37, key, base_url: url })).toContain('the channel has no Cloudflare account ID');
    });
  });

  test('C32 PROVIDER-42 exchanges the service account, and reads the pages of both publishers', async () => {
    const vertex = createFakeVertex();
    const upstream = await relay.addUpstream(await vertex.start());
    const body = { type: 42, key: upstream.key, base_url: upstream.url };
    expect(await namesOf(body)).toEqual(vertexNames);
    expect(await namesOf({ ...body, base_url: `${upstream.url}/v1` })).toEqual(vertexNames);
    expect(vertex.given()).toBe(1);
    const account = upstream.key.slice(upstream.key.indexOf('{'));
    const config = JSON.stringify({ region: 'us-central1', vertex_ai_project_id: 'weir-test', vertex_ai_adc: account });
    expect(await namesOf({ ...body, key: 'unused', config })).toEqual(vertexNames);
  });

  test('C32 a type without a list says so, whatever is entered', async () => {
    const without = [3, 11, 15, 18, 19, 21, 22, 23, 26, 34, 38, 43, 48];
    for (const type of without)
      expect(await refused({ type, key: 'k', base_url: 'http://127.0.0.1:1' })).toBe(
        "This provider doesn't list its models. Enter their names",
      );
    const tested = new Set([...types.map(([type]) => type), 37, 42, ...without]);
    expect(vendorList.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });
});

const bare = (pages: ModelList['pages']): ModelList => ({ ...openAiLists, pages });

describe('C32 says what went wrong, without the key', () => {
  test.each([
    ['/none', {}, 'Could not read the list of models: status code: 404, no such path'],
    ['', { '/v1/models': '<html>' }, 'Could not read the list of models: the response is not JSON'],
    ['', { '/v1/models': '{"data":"many"}' }, 'Could not read the list of models: the response is no list of models'],
    [
      '',
      { '/v1/models': '"x"'.padEnd(5_000_000) },
      'Could not read the list of models: the upstream response is too large',
    ],
  ])('C32 at %j', async (base, pages, message) => {
    await withList(bare(pages), async ({ url, key }) => {
      expect(await refused({ type: 1, key, base_url: url + base })).toBe(message);
    });
  });

  test('C32 a refused key, no answer, and a forbidden address', async () => {
    await withList(openAiLists, async ({ url }) => {
      const wrong = 'sk-wrong-canary-0123456789';
      const message = await refused({ type: 1, key: wrong, base_url: url });
      expect(message).toBe('The provider refuses the key: status code: 401, Incorrect API key: Bearer ***');
      expect(relay.app.logged()).not.toContain(wrong);
    });
    expect(await refused({ type: 1, key: 'k', base_url: 'http://127.0.0.1:1' })).toBe(
      'Could not read the list of models: the upstream is unreachable: it refused the connection',
    );
    expect(await refused({ type: 1, key: 'k', base_url: 'http://169.254.169.254' })).toBe(
      'Could not read the list of models: the address of the upstream is not allowed',
    );
    expect(await refused({ type: 8, key: 'k' })).toBe('Channels of this type need a base URL');
    expect(await refused({ type: 8, key: 'k', base_url: 'ftp://a' })).toBe(
      'The base URL is not a valid http or https address',
    );
    expect(await refused({ type: 33, key: 'k' })).toContain('the channel has no AWS region');
    expect(await refused({ type: 1 })).toBe('Please fill in channel name and channel key');
  });

  test('C32 at most 2,000 names are read, and names that no channel can have are left out', async () => {
    const ids = ['a,b', 'a\nb', 'x'.repeat(201), '', 7, ...Array.from({ length: 2100 }, (_, index) => `m${index}`)];
    await withList(bare({ '/v1/models': { data: ids.map((id) => ({ id })) } }), async ({ url, key }) => {
      const { models, complete } = await fetchModels({ type: 1, key, base_url: url });
      expect(complete).toBe(false);
      expect(models).toHaveLength(2000);
      expect(models[0]?.name).toBe('m0');
    });
  });

  test('C32 a list that never ends is read for 40 pages, and one that names the same page again is refused', async () => {
    const page = (next: number) => ({ models: [{ name: `models/m${next}` }], nextPageToken: String(next) });
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `/v1beta/models?pageSize=1000${index === 0 ? '' : `&pageToken=${index}`}`,
        page(index + 1),
      ]),
    );
    await withList({ ...geminiLists, pages }, async ({ url, key, requests }) => {
      const { models, complete } = await fetchModels({ type: 24, key, base_url: url });
      expect([models.length, complete, requests.length]).toEqual([40, false, 40]);
    });
    const same = { '/v1beta/models?pageSize=1000': page(1), '/v1beta/models?pageSize=1000&pageToken=1': page(1) };
    await withList({ ...geminiLists, pages: same }, async ({ url, key }) => {
      expect(await refused({ type: 24, key, base_url: url })).toContain('the provider names no next page');
    });
  });
});

describe('C32 compares the list with what the channel offers', () => {
  test('C32 each model with its price and facts: offered and there, offered but gone, and new', async () => {
    const listed = ['gpt-5.5', 'gpt-4o', 'own-model', 'claude-haiku-4-5-20251001', 'sent-name'];
    await withList(bare({ '/v1/models': { data: listed.map((id) => ({ id })) } }), async ({ url, key }) => {
      const { models, complete } = await fetchModels({
        type: 1,
        key,
        base_url: url,
        models: 'gpt-4o,alias,gpt-4-0314,claude-haiku-4-5',
        model_mapping: '{"alias":"sent-name"}',
      });
      expect(complete).toBe(true);
      expect(models.map(({ name, sent, listed: there, offered }) => [name, sent, there, offered])).toEqual([
        ['gpt-4o', 'gpt-4o', true, true],
        ['alias', 'sent-name', true, true],
        ['gpt-4-0314', 'gpt-4-0314', false, true],
        // Listed with its date alone.
        ['claude-haiku-4-5', 'claude-haiku-4-5', true, true],
        ['gpt-5.5', 'gpt-5.5', true, false],
        ['own-model', 'own-model', true, false],
        ['claude-haiku-4-5-20251001', 'claude-haiku-4-5-20251001', true, false],
      ]);
      const byName = new Map(models.map((model) => [model.name, model]));
      expect(byName.get('gpt-5.5')).toMatchObject({ context: 1_050_000, output: 128_000 });
      expect(byName.get('gpt-5.5')?.can).toContain('tools');
      expect(byName.get('gpt-4o')).toMatchObject({ price: 'vendor', output: 16_384 });
      expect(byName.get('own-model')).toMatchObject({ price: 'fallback' });
    });
  });

  test('C32 a tag that servers add is no other model', async () => {
    await withList(ollamaLists, async ({ url, key }) => {
      const { models } = await fetchModels({ type: 30, key, base_url: url, models: 'llama3,phi3' });
      expect(models.map(({ name, listed }) => [name, listed])).toEqual([
        ['llama3', true],
        ['phi3', false],
      ]);
    });
  });
});

test('C32 R14 the stored key is used for an empty one, and administrators send it to no other server', async () => {
  await withList(openAiLists, async ({ url, key }) => {
    const id = await relay.addChannel({ type: 1, base_url: url, key });
    const stored = { id, type: 1, key: '', base_url: url };
    expect(await namesOf(stored)).toEqual(plain);
    const admin = await relay.app.addUser('admin', role.admin);
    expect((await fetchModels(stored, admin)).models.map(({ name }) => name)).toEqual(plain);
    const again = 'Enter the key again when the type or base URL changes';
    const moved = { ...stored, base_url: `${url}/openai`, type: 50 };
    expect(await admin.refused('POST', path, moved)).toBe(again);
    const proxied = { ...stored, config: '{"proxy":"http://127.0.0.1:9"}' };
    expect(await admin.refused('POST', path, proxied)).toBe(again);
    expect(await namesOf(moved)).toEqual(['at-address']);
    expect(await refused(proxied)).toContain('the upstream is unreachable');
    const user = await relay.app.addUser('user');
    expect(await user.refused('POST', path, stored)).toContain('insufficient permission');
    expect((await relay.app.visitor().call('POST', path, { body: stored })).status).toBe(401);
  });
});
