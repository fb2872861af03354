/**
 * What several nodes pay for sharing a database and a busy account: processor time of a call of 1 KB, and PostgreSQL's,
 * of nodes on one database whose calls one key pays, beside as many gateways with a database each on the same server,
 * and beside one gateway alone. All run throughout and are loaded in turns, each process with 64 calls at once:
 *
 *   TEST_DATABASE=postgres TEST_POSTGRES_URL=… node bench/nodes/sharing.ts [nodes] [rounds]
 *
 * So few processors as there are affect nodes and gateways alike; what is left is the sharing. Medians; stored in
 * `bench/results/sharing.json`. Needs Linux and a C compiler.
 */
import { join } from 'node:path';
import { createTestStorage, type TestStorage } from '../../server/test/database/database.ts';
import { prepareServer, servedModel } from '../../server/test/processes/prepare-server.ts';
import { startServer } from '../../server/test/processes/server-process.ts';
import { circumstances, keepResult } from '../circumstances.ts';
import { startMock, upstreamKey } from '../contestant.ts';
import { median } from '../median.ts';
import { load } from '../native/native.ts';
import { postgresSeconds } from './postgres-seconds.ts';

const [nodes = 4, rounds = 5] = process.argv.slice(2).map(Number);
const wanted = 1.15;
const warmUpSeconds = 0.5;

interface Node {
  readonly url: string;
  readonly pid: number;
  readonly key: string;
}

await using ends = new AsyncDisposableStack();
const before = circumstances();
const mock = await startMock([]);
ends.defer(() => void mock.child.kill('SIGKILL'));

const openStorage = async (): Promise<TestStorage> => {
  const storage = await createTestStorage();
  ends.defer(storage.remove);
  if (storage.databaseUrl === undefined) throw new Error('needs TEST_DATABASE=postgres');
  return storage;
};
/** Starts a node; without a key it prepares the database with one. */
const startNode = async ({ dataDir, databaseUrl = '' }: TestStorage, name: string, known?: string): Promise<Node> => {
  const server = await startServer({
    dataDir: join(dataDir, name),
    env: { DATABASE_URL: databaseUrl, SECRET_KEY: 'a key that this run alone will ever know', NODE_NAME: name },
  });
  ends.defer(async () => void (await server.stop('SIGTERM')));
  const key = known ?? (await prepareServer(server, { url: `http://127.0.0.1:${mock.port}`, key: upstreamKey }));
  return { url: server.url, pid: server.pid, key };
};
const startAlone = async (name: string): Promise<Node> => startNode(await openStorage(), name);

const one = await startAlone('one');
const common = await openStorage();
const sharing = [await startNode(common, 'node1')];
const apart: Node[] = [];
for (let index = 1; index <= nodes; index += 1) {
  if (index > 1) sharing.push(await startNode(common, `node${index}`, sharing[0]?.key));
  apart.push(await startAlone(`apart${index}`));
}

const sum = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((total, each) => total + of(each), 0);

const turn = async (loaded: readonly Node[], seconds: number) => {
  const since = postgresSeconds();
  const times = ['-c', '64', '-d', String(seconds), '-w', String(warmUpSeconds)];
  const results = await Promise.all(
    loaded.map(({ url, key, pid }) =>
      load([...times, '-m', servedModel, '-k', key, '-p', String(pid), `${url}/v1/chat/completions`]),
    ),
  );
  const ok = sum(results, (each) => each.ok);
  return {
    cpuUsPerCall: sum(results, (each) => each.ok * each.sut_cpu_us_per_req) / ok,
    // Calls of the warm-up have their share.
    postgresUsPerCall: ((postgresSeconds() - since) * 1e6) / (ok + sum(results, (each) => each.rps * warmUpSeconds)),
    callsPerSecond: sum(results, (each) => each.rps),
    failed: sum(results, (each) => each.errors + each.non200),
  };
};
type Turn = Awaited<ReturnType<typeof turn>>;

const sets = { one: [one], sharing, apart };
const names = ['one', 'sharing', 'apart'] as const;
for (const name of names) await turn(sets[name], 6);
const turns: Record<(typeof names)[number], Turn[]> = { one: [], sharing: [], apart: [] };
for (let round = 0; round < rounds; round += 1) for (const name of names) turns[name].push(await turn(sets[name], 3));

const figuresOf = (all: readonly Turn[]) => ({
  cpuUsPerCall: Number(median(all.map((each) => each.cpuUsPerCall)).toFixed(1)),
  postgresUsPerCall: Number(median(all.map((each) => each.postgresUsPerCall)).toFixed(1)),
  callsPerSecond: Math.round(median(all.map((each) => each.callsPerSecond))),
  failed: sum(all, (each) => each.failed),
});
const figures = { one: figuresOf(turns.one), sharing: figuresOf(turns.sharing), apart: figuresOf(turns.apart) };
const ratio = Number((figures.sharing.cpuUsPerCall / figures.apart.cpuUsPerCall).toFixed(2));
keepResult('sharing', {
  what: `processor time of a call of 1 KB: one gateway, ${nodes} nodes with one database and one account, ${nodes} gateways with a database each`,
  ...before,
  nodes,
  rounds,
  ...figures,
  ratio,
  wanted,
});
console.log(JSON.stringify({ ...figures, ratio }));
process.exitCode = ratio <= wanted && names.every((name) => figures[name].failed === 0) ? 0 : 1;
