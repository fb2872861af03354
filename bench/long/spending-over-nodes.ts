/**
 * 1,000 calls at once, over two nodes and over four of one PostgreSQL, compete for what covers exactly ten, many times:
 * plain answers and streams, paid by an account and by a token in turn. The upstream answers when all others are refused.
 * The result is stored in `bench/results/`.
 *
 *   npm run verify:long -- spending-over-nodes [rounds with each number of nodes]
 */
import { verifyLedger } from '../../server/src/store/ledger/verify.ts';
import { openDatabase } from '../../server/src/store/open-database.ts';
import { type ManagementClient, signInTo } from '../../server/test/clients/management-client.ts';
import { type RawAnswer, startRaw } from '../../server/test/clients/raw-client.ts';
import { startFakeUpstream } from '../../server/test/fakes/fake-upstream.ts';
import { promptTokens } from '../../server/test/oracles/count-tokens.ts';
import { compete } from '../../server/test/processes/compete.ts';
import { type Nodes, startNodes } from '../../server/test/processes/nodes.ts';
import { prepareServer, servedModel, servedPrice } from '../../server/test/processes/prepare-server.ts';
import { rootPassword } from '../../server/test/processes/server-process.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [rounds = 50] = process.argv.slice(2).map(Number);
const parallel = 1000;
const covered = 10;
const forms = [
  { stream: false, payer: 'account' },
  { stream: true, payer: 'account' },
  { stream: false, payer: 'token' },
  { stream: true, payer: 'token' },
] as const;
type Form = (typeof forms)[number];

const messages = [{ role: 'user', content: 'hello' }];
const prompt = promptTokens(messages);
const completion = 40;
const balance = covered * servedPrice({ prompt, completion });

await using ends = new AsyncDisposableStack();
const upstream = await startFakeUpstream();
ends.defer(upstream.close);

const ask = (url: string, key: string, stream: boolean): Promise<RawAnswer> =>
  startRaw({
    url,
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: servedModel, stream, max_tokens: completion, messages }),
  }).answer;

/** A key that can pay ten calls, by its own allocation or by its account. */
const addKey = async (root: ManagementClient, payer: Form['payer'], name: string): Promise<string> => {
  const keyOf = async (path: string, body: object) => (await root.call<{ key: string }>('POST', path, body)).key;
  if (payer === 'token') return keyOf('/api/token/', { name, remain_quota: balance });
  await root.call('POST', '/api/user/', { username: name, password: 'correct horse 9' });
  const [user] = await root.call<{ id: number }[]>('GET', `/api/user/search?keyword=${name}`);
  const id = user?.id ?? 0;
  await root.call('PUT', '/api/user/', { id, username: name, quota: balance });
  return keyOf(`/api/user/${id}/token/`, { name, unlimited_quota: true });
};

/** Resolves to what differs from ten answers and 990 refusals. */
const play = async (nodes: Nodes, key: string, stream: boolean): Promise<readonly string[]> => {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const { answers, reached } = await compete({
    upstream,
    parallel,
    covered,
    behaviour: { words: completion, usage },
    ask: (index) => ask(nodes.url(index), key, stream),
  });
  const whole = answers.filter(({ status, complete }) => status === 200 && complete).length;
  return whole === covered && reached === covered ? [] : [`${whole} whole answers, ${reached} calls upstream`];
};

/** Seconds, and what was found, of all rounds with a number of nodes. */
const playAll = async (count: number) => {
  const started = performance.now();
  const nodes = await startNodes(count);
  const found: string[] = [];
  try {
    if (nodes.count !== count) throw new Error('needs TEST_DATABASE=postgres');
    await prepareServer({ url: nodes.url(0) }, upstream);
    const root = await signInTo(nodes.url(0), 'root', rootPassword);
    for (let round = 0; round < rounds; round += 1) {
      const form = forms[round % forms.length] ?? forms[0];
      const key = await addKey(root, form.payer, `round${round}`);
      const faults = await play(nodes, key, form.stream);
      found.push(...faults.map((fault) => `round ${round}, ${JSON.stringify(form)}: ${fault}`));
    }
    await nodes.stop();
    const db = await openDatabase(nodes.storage);
    const { findings, figures } = await verifyLedger(db);
    await db.close();
    found.push(...findings.map((finding) => JSON.stringify(finding)));
    if (figures.unrecovered > 0) found.push(`${figures.unrecovered} units were not covered`);
  } finally {
    await nodes.close();
  }
  return { nodes: count, rounds, seconds: Math.round((performance.now() - started) / 1000), found };
};

const before = circumstances();
const results = [await playAll(2), await playAll(4)];
keepResult('spending-over-nodes', {
  what: `${parallel} calls at once over several nodes on what covers ${covered} of them`,
  ...before,
  results,
});
console.log(JSON.stringify(results));
process.exitCode = results.every(({ found }) => found.length === 0) ? 0 : 1;
