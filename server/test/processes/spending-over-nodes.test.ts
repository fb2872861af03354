import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { verifyLedger } from '../../src/store/ledger/verify.ts';
import { signInTo } from '../clients/management-client.ts';
import { startRaw } from '../clients/raw-client.ts';
import { type FakeUpstream, startFakeUpstream } from '../fakes/fake-upstream.ts';
import { promptTokens } from '../oracles/count-tokens.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { prepareServer, servedModel, servedPrice } from './prepare-server.ts';
import { rootPassword } from './server-process.ts';

const covered = 1000;
const calls = 1300;
const atOnce = 40;

let upstream: FakeUpstream;
let nodes: Nodes;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const prompt = promptTokens(messagesOf(0));
  upstream.behave(() => ({ usage: { prompt_tokens: prompt, completion_tokens: 40, total_tokens: prompt + 40 } }));
  nodes = await startNodes(2);
});
afterAll(async () => {
  await nodes.close();
  await upstream.close();
});

/** All of as many tokens, so that every call costs the same. */
const messagesOf = (index: number) => [{ role: 'user', content: `hello call-${String(index).padStart(5, '0')}` }];

const ask = async (key: string, index: number): Promise<number> => {
  const answer = await startRaw({
    url: nodes.url(index),
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: servedModel, max_tokens: 40, user: `call-${index}`, messages: messagesOf(index) }),
  }).answer;
  // The database may be slow on a busy machine: a client that gets a retry answer tries again.
  return answer.status === 503 ? ask(key, index) : answer.status;
};

test('RELAY-07 S18 a balance that begins ample is spent over the nodes to its last call, and no further', async () => {
  await prepareServer({ url: nodes.url(0) }, upstream);
  const root = await signInTo(nodes.url(0), 'root', rootPassword);
  const cost = servedPrice({ prompt: promptTokens(messagesOf(0)), completion: 40 });
  const values = { name: 'spent', remain_quota: covered * cost };
  const { key, id } = await root.call<{ key: string; id: number }>('POST', '/api/token/', values);
  const answered = new Map<number, number>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < calls; index = next++) {
      const status = await ask(`sk-${key}`, index);
      answered.set(status, (answered.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(answered.get(200)).toBe(covered);
  expect([...answered.keys()].filter((status) => ![200, 401, 403].includes(status))).toEqual([]);
  await nodes.stop();
  const { dataDir, databaseUrl } = nodes.storage;
  const db = await openDatabase({ dataDir, databaseUrl });
  try {
    const token = db.read.selectFrom('tokens').select(['available', 'held', 'used']).where('id', '=', id);
    expect(await token.executeTakeFirst()).toEqual({ available: 0, held: 0, used: covered * cost });
    const { findings, figures } = await verifyLedger(db);
    expect(findings).toEqual([]);
    expect(figures.unrecovered).toBe(0);
  } finally {
    await db.close();
  }
}, 300_000);
