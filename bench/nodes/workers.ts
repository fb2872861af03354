/**
 * Processor time of a relayed call with one relay process and with two on the same port (`WORKERS`), on PostgreSQL, and
 * PostgreSQL's own, with what a call leaves behind there:
 *
 *   TEST_DATABASE=postgres TEST_POSTGRES_URL=… node bench/nodes/workers.ts [rounds]
 *
 * Both gateways run throughout on one database and are loaded in turns, so that other load on the machine affects both
 * alike. Load generator, upstream and PostgreSQL share the two cores with them and are not counted: two processes do
 * 2 × (time of one / time of two) as much work as one. Medians; stored in `bench/results/workers.json`. Needs Linux and
 * a C compiler.
 */
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestStorage } from '../../server/test/database/database.ts';
import { prepareServer } from '../../server/test/processes/prepare-server.ts';
import { startServer } from '../../server/test/processes/server-process.ts';
import { circumstances, keepResult, numberArgument } from '../circumstances.ts';
import { childPids, startMock, upstreamKey } from '../contestant.ts';
import { figuresOf, playTurn, sumOf, type Turn } from './turns.ts';

const rounds = numberArgument(5);
const wanted = 1.8;

await using ends = new AsyncDisposableStack();
const before = circumstances();
const { dataDir, databaseUrl, remove } = await createTestStorage();
ends.defer(remove);
if (databaseUrl === undefined) throw new Error('needs TEST_DATABASE=postgres');
const mock = await startMock([]);
ends.defer(() => void mock.child.kill('SIGKILL'));
const client = new Client({ connectionString: databaseUrl });
await client.connect();
ends.defer(() => client.end());
const numberOf = async (query: string): Promise<number> => {
  const { rows } = await client.query<{ value: string | number }>(query);
  return Number(rows[0]?.value ?? 0);
};
/** Bytes of the write-ahead log since the beginning. */
const walBytes = () => numberOf("select pg_current_wal_lsn() - '0/0' as value");
/** Bytes of a row with its indexes. */
const rowBytes = (table: string) =>
  numberOf(`select pg_total_relation_size('${table}') / greatest(1, (select count(*) from ${table})) as value`);
const startWith = async (workers: number) => {
  const server = await startServer({
    dataDir: join(dataDir, `by${workers}`),
    env: {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'a key that this run alone will ever know',
      WORKERS: String(workers),
      NODE_NAME: `by${workers}`,
    },
  });
  ends.defer(async () => void (await server.stop('SIGTERM')));
  return { url: server.url, pids: [server.pid, ...childPids(server.pid)] };
};
const one = await startWith(1);
const key = await prepareServer(one, { url: `http://127.0.0.1:${mock.port}`, key: upstreamKey });
const two = await startWith(2);

const turn = ({ url, pids }: typeof one, seconds: number) =>
  playTurn([{ url, key, pids }], { connections: 128, seconds });
for (const each of [one, two]) await turn(each, 10);
const walBefore = await walBytes();
const results: Record<'one' | 'two', Turn[]> = { one: [], two: [] };
for (let round = 0; round < rounds; round += 1) {
  results.one.push(await turn(one, 3));
  results.two.push(await turn(two, 3));
}
const [byOne, byTwo] = [figuresOf(results.one), figuresOf(results.two)];
const calls = sumOf([...results.one, ...results.two], (each) => each.calls);
const bytes = {
  writeAheadPerCall: Math.round(((await walBytes()) - walBefore) / calls),
  logRow: await rowBytes('logs'),
  ledgerRow: await rowBytes('ledger'),
};
const scaling = Number(((2 * byOne.cpuUsPerCall) / byTwo.cpuUsPerCall).toFixed(2));
keepResult('workers', {
  what: 'processor time of a call of 1 KB with one relay process and with two on one port, on PostgreSQL, in turns',
  ...before,
  rounds,
  one: byOne,
  two: byTwo,
  bytes,
  scaling,
  wanted,
});
console.log(JSON.stringify({ one: byOne, two: byTwo, bytes, scaling }));
process.exitCode = scaling >= wanted && byOne.failed + byTwo.failed === 0 ? 0 : 1;
