import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { type ClientEntry, clientEntryOf } from '../clients/client-entry.ts';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../database/database.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { signInTo } from '../clients/management-client.ts';
import { startRaw } from '../clients/raw-client.ts';
import { until } from '../app/relay-app.ts';
import { compete } from './compete.ts';
import { rootPassword, startServer, type ServerProcess } from './server-process.ts';
import { promptTokens } from '../oracles/count-tokens.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

/** As many processes as one database can have: SQLite belongs to one. */
const nodeCount = testDatabaseKind === 'postgres' ? 2 : 1;
const model = 'weir-test';
const price = ({ prompt, completion }: { readonly prompt: number; readonly completion: number }) =>
  prompt + 2 * completion;
const parallel = 1000;
const covered = 10;

let storages: readonly TestStorage[];
let upstream: FakeUpstream;
let nodes: readonly ServerProcess[];

beforeAll(async () => {
  storages = await Promise.all(Array.from({ length: nodeCount }, createTestStorage));
  const databaseUrl = storages[0]?.databaseUrl;
  upstream = await startFakeUpstream();
  const started: ServerProcess[] = [];
  for (const [index, { dataDir }] of storages.entries()) {
    const env = { SECRET_KEY: 'a key that all nodes of this test know', NODE_NAME: `node-${index}` };
    started.push(
      await startServer({ dataDir, env: { ...env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) } }),
    );
  }
  nodes = started;
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  await upstream.close();
  for (const { remove } of storages) await remove();
});

const prepare = async () => {
  const root = await signInTo(nodes[0]?.url ?? '', 'root', rootPassword);
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [model]: 1 }) });
  await root.call('PUT', '/api/option/', { key: 'CompletionRatio', value: JSON.stringify({ [model]: 2 }) });
  const channel = { type: 8, name: 'only', key: upstream.key, base_url: upstream.url, models: model, group: 'default' };
  await root.call('POST', '/api/channel/', channel);
  const tokenOf = async (remain: number) => {
    const token = await root.call<{ key: string; id: number }>('POST', '/api/token/', {
      name: 'all',
      remain_quota: remain,
    });
    return { id: token.id, authorization: `Bearer sk-${token.key}` };
  };
  return tokenOf;
};

const clients: ClientEntry[] = [];
/** All of as many tokens, so that every call reserves the same. */
const nonceOf = (index: number, stream: boolean): string =>
  `${stream ? 'strm' : 'page'}-${String(index).padStart(5, '0')}`;
const messagesOf = (nonce: string) => [{ role: 'user', content: `hello ${nonce}` }];
const bodyOf = (nonce: string, stream: boolean): string =>
  JSON.stringify({ model, stream, max_tokens: 40, user: nonce, messages: messagesOf(nonce) });
const ask = (authorization: string, index: number, stream: boolean) => {
  const nonce = nonceOf(index, stream);
  const body = bodyOf(nonce, stream);
  const { url } = nodes[index % nodes.length] ?? { url: '' };
  const headers = { authorization, 'content-type': 'application/json' };
  return startRaw({ url, path: '/v1/chat/completions', headers, body }).answer.then((answer) => {
    clients.push(clientEntryOf(nonce, answer));
    return answer;
  });
};

test(`S18 RELAY-07 B02 ${parallel} parallel requests over ${nodeCount} process(es) on what covers ten: ten reach the upstream`, async () => {
  const tokenOf = await prepare();
  const rich = await tokenOf(1_000_000);
  // A change on one node reaches the others a moment later.
  for (const [index] of nodes.entries())
    await until(async () => (await ask(rich.authorization, 90_000 + index, false)).status === 200);
  for (const stream of [false, true]) {
    upstream.behave(() => undefined);
    const held = price({ prompt: promptTokens(messagesOf(nonceOf(0, stream))), completion: 40 });
    const token = await tokenOf(covered * held);
    const { answers, reached } = await compete({
      upstream,
      parallel,
      covered,
      behaviour: { words: 40 },
      ask: (index) => ask(token.authorization, index, stream),
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(covered);
    expect(reached).toBe(covered);
    const codes = new Set(answers.filter(({ status }) => status === 403).map(({ error }) => error['code']));
    expect([...codes]).toEqual(['pre_consume_token_quota_failed']);
  }
}, 300_000);

test('RELAY-07 ledger, clients and upstream agree after that', async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGTERM')));
  const [storage] = storages;
  const db = await openDatabase({ dataDir: storage?.dataDir ?? '', databaseUrl: storage?.databaseUrl });
  try {
    expect(await findDisagreements(db, { clients, upstream: upstream.journal(), price })).toEqual([]);
  } finally {
    await db.close();
  }
});
