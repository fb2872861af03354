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
import { prepareServer } from '../../server/test/processes/prepare-server.ts';
import { startServer } from '../../server/test/processes/server-process.ts';
import { circumstances, keepResult } from '../circumstances.ts';
import { startMock, upstreamKey } from '../contestant.ts';
import { figuresOf, type LoadedGateway, playTurn, type Turn } from './turns.ts';

const [nodes = 4, rounds = 5] = process.argv.slice(2).map(Number);
const wanted = 1.15;

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
const startNode = async (
  { dataDir, databaseUrl = '' }: TestStorage,
  name: string,
  known?: string,
): Promise<LoadedGateway> => {
  const server = await startServer({
    dataDir: join(dataDir, name),
    env: { DATABASE_URL: databaseUrl, SECRET_KEY: 'a key that this run alone will ever know', NODE_NAME: name },
  });
  ends.defer(async () => void (await server.stop('SIGTERM')));
  const key = known ?? (await prepareServer(server, { url: `http://127.0.0.1:${mock.port}`, key: upstreamKey }));
  return { url: server.url, key, pids: [server.pid] };
};
const startAlone = async (name: string): Promise<LoadedGateway> => startNode(await openStorage(), name);

const one = await startAlone('one');
const common = await openStorage();
const sharing = [await startNode(common, 'node1')];
const apart: LoadedGateway[] = [];
for (let index = 1; index <= nodes; index += 1) {
  if (index > 1) sharing.push(await startNode(common, `node${index}`, sharing[0]?.key));
  apart.push(await startAlone(`apart${index}`));
}

const turn = (loaded: readonly LoadedGateway[], seconds: number) => playTurn(loaded, { connections: 64, seconds });

const sets = { one: [one], sharing, apart };
const names = ['one', 'sharing', 'apart'] as const;
for (const name of names) await turn(sets[name], 6);
const turns: Record<(typeof names)[number], Turn[]> = { one: [], sharing: [], apart: [] };
for (let round = 0; round < rounds; round += 1) for (const name of names) turns[name].push(await turn(sets[name], 3));

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
