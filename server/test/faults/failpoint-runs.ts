import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { openReadOnly } from '../../src/store/engine/read-only.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import { until } from '../app/relay-app.ts';
import type { ClientEntry } from '../clients/client-entry.ts';
import { createTestStorage, type TestStorage } from '../database/database.ts';
import type { Failpoint } from './failpoints.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { startLoad } from '../clients/load-client.ts';
import { signInTo } from '../clients/management-client.ts';
import { prepareServer, servedModel, servedPrice } from '../processes/prepare-server.ts';
import { failToStart, rootPassword, startServer, type ServerProcess } from '../processes/server-process.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

export interface FailpointReport {
  readonly name: string;
  /** How often the server reached the failpoint and was killed. */
  readonly kills: number;
  readonly requests: number;
  /** Empty if the server reached it each time, and the ledger agrees with clients, upstream and operators. */
  readonly disagreements: readonly string[];
}

interface Run {
  readonly point: Failpoint;
  readonly storage: TestStorage;
  readonly upstream: FakeUpstream;
  readonly clients: ClientEntry[];
  /** Codes whose redemption was answered with success. */
  readonly answered: string[];
}

const reachedWithinMs = 120_000;
const passesMax = 8;
const lockedMs = 700;

const environment = ({ databaseUrl }: Pick<TestStorage, 'databaseUrl'>): Record<string, string> => ({
  SECRET_KEY: 'a key that only these servers know',
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
});
const armed = (point: Failpoint, pass: number): Record<string, string> => ({
  FAILPOINT: point.name,
  FAILPOINT_PASS: String(pass),
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'failpoint-hook.ts')).href}`,
});

const loadOn = ({ point: { name, way }, clients }: Run, { url }: ServerProcess, key: string) =>
  startLoad({
    url,
    key,
    model: servedModel,
    streams: way === 'long' ? 3 : 8,
    plainPerSecond: way === 'long' ? 5 : 25,
    // Nonces are unique in a run, over all its servers.
    label: `${name}-after-${clients.length}`,
  });

/** Creates codes and redeems them, one after the other, until the server is killed. */
const redeemCodes = async ({ answered }: Run, { url }: ServerProcess): Promise<void> => {
  try {
    const root = await signInTo(url, 'root', rootPassword);
    for (;;) {
      const made = { name: 'failpoint', quota: 1000, count: 1 };
      const [key = ''] = await root.call<string[]>('POST', '/api/redemption/', made);
      await root.call('POST', '/api/user/topup', { key });
      answered.push(key);
    }
  } catch {
    // The server was killed; the ledger is compared with the answers until then.
  }
};

/** A session that locks all accounts for longer than a batch waits for them, and leaves them free as long, until `end`. */
const lockAccounts = async ({ databaseUrl }: TestStorage) => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  let locking = true;
  const run = async () => {
    while (locking) {
      await client.query('begin; select from users for update');
      await sleep(lockedMs);
      await client.query('commit');
      await sleep(lockedMs);
    }
    await client.end();
  };
  const ended = run();
  return {
    end: () => {
      locking = false;
      return ended;
    },
  };
};

/** Starts a server that dies at the point, under load; false: it never reached it. */
const killUnderLoad = async (run: Run, key: string): Promise<boolean> => {
  const { point, storage } = run;
  const pass = 1 + Math.floor(Math.random() * (point.way === 'codes' ? 3 : passesMax));
  const flag = join(storage.dataDir, 'armed');
  rmSync(flag, { force: true });
  const env = { ...environment(storage), ...armed(point, pass), FAILPOINT_ARMED: flag };
  const server = await startServer({ dataDir: storage.dataDir, env, isFromSource: true });
  try {
    const load = loadOn(run, server, key);
    writeFileSync(flag, '');
    const codes = point.way === 'codes' ? redeemCodes(run, server) : undefined;
    const locks = point.way === 'locked' ? await lockAccounts(storage) : undefined;
    const reached = await Promise.race([server.ended.then(() => true), sleep(reachedWithinMs, false, { ref: false })]);
    if (!reached) await server.stop('SIGKILL');
    await locks?.end();
    run.clients.push(...(await load.stop()));
    await codes;
    return reached;
  } finally {
    await server.stop('SIGKILL');
  }
};

/** Starts a server that dies at the point before it serves. */
const killAtStart = async ({ point, storage }: Run): Promise<boolean> => {
  const env = { DATA_DIR: storage.dataDir, INITIAL_ROOT_PASSWORD: rootPassword, ...environment(storage) };
  const { code, output } = await failToStart(
    { ...env, ...armed(point, 1) },
    { timeoutMs: reachedWithinMs, isFromSource: true },
  );
  return code === null && !output.includes('is ready on');
};

/** Leaves holds behind for the next start to recover. */
const leaveHolds = async (run: Run, key: string): Promise<void> => {
  const server = await startServer({ dataDir: run.storage.dataDir, env: environment(run.storage) });
  const db = openReadOnly(run.storage);
  try {
    const load = loadOn(run, server, key);
    await until(async () => (await db.read.selectFrom('holds').select('request_id').execute()).length > 0);
    await server.stop('SIGKILL');
    run.clients.push(...(await load.stop()));
  } finally {
    await db.close();
    await server.stop('SIGKILL');
  }
};

const serve = async <Result>({ storage }: Run, act: (server: ServerProcess) => Promise<Result>): Promise<Result> => {
  const server = await startServer({ dataDir: storage.dataDir, env: environment(storage) });
  try {
    return await act(server);
  } finally {
    await server.stop('SIGTERM');
  }
};

/** Compares the ledger with the journals and with the answers about codes, once nothing runs. */
const judge = async ({ storage, upstream, clients, answered }: Run): Promise<readonly string[]> => {
  const db = await openDatabase(storage);
  try {
    const facts = { clients, upstream: upstream.journal(), price: servedPrice, crashes: true };
    const entries = await db.read.selectFrom('ledger').select('id').where('kind', '=', 'redeem').execute();
    const codes = await db.read.selectFrom('redemptions').select('id').where('status', '=', 3).execute();
    return [
      ...(await findDisagreements(db, facts)),
      ...(entries.length === codes.length ? [] : [`L9 ${codes.length} codes used, ${entries.length} credited`]),
      ...(answered.length <= entries.length
        ? []
        : [`L10 ${answered.length} codes were answered with success, ${entries.length} credited`]),
    ];
  } finally {
    await db.close();
  }
};

const runTimes = async (run: Run, times: number): Promise<number> => {
  const { point, upstream } = run;
  let kills = 0;
  if (point.way === 'first') {
    if (await killAtStart(run)) kills += 1;
    await serve(run, (server) => prepareServer(server, upstream));
    return kills;
  }
  const key = await serve(run, (server) => prepareServer(server, upstream));
  for (let round = 0; round < times; round += 1) {
    if (point.way === 'start') await leaveHolds(run, key);
    if (point.way === 'start' ? await killAtStart(run) : await killUnderLoad(run, key)) kills += 1;
  }
  // One more start ends the holds that the last kill left open.
  await serve(run, () => Promise.resolve());
  return kills;
};

const runOnce = async (point: Failpoint, times: number): Promise<FailpointReport> => {
  await using ends = new AsyncDisposableStack();
  const storage = ends.adopt(await createTestStorage(), ({ remove }) => remove());
  const upstream = ends.adopt(await startFakeUpstream(), ({ close }) => close());
  upstream.behave(({ stream }) => {
    if (Math.random() < 0.1) return { status: 500 };
    // Before a start, streams last much longer than the time between a stored hold and the kill.
    if (point.way === 'long' || point.way === 'start') return stream ? { words: 450, eventDelayMs: 3 } : {};
    // A tenth of the answers take longer than a hold waits in memory.
    return stream ? { words: 30, eventDelayMs: 8 } : { delayMs: Math.random() < 0.1 ? 150 : Math.random() * 30 };
  });
  const run: Run = { point, storage, upstream, clients: [], answered: [] };
  const kills = await runTimes(run, times);
  const missed = kills < times ? [`${times - kills} times the server never came there`] : [];
  return { name: point.name, kills, requests: run.clients.length, disagreements: [...missed, ...(await judge(run))] };
};

/** Kills a server at a point so many times, under load, and compares the ledger after it. */
export const runFailpoint = async (point: Failpoint, times: number): Promise<FailpointReport> => {
  if (point.way !== 'first') return runOnce(point, times);
  const reports: FailpointReport[] = [];
  for (let round = 0; round < times; round += 1) reports.push(await runOnce(point, 1));
  return {
    name: point.name,
    kills: reports.reduce((sum, { kills }) => sum + kills, 0),
    requests: 0,
    disagreements: reports.flatMap(({ disagreements }) => disagreements),
  };
};
