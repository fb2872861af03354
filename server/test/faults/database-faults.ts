import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openDatabase } from '../../src/store/open-database.ts';
import { until } from '../app/relay-app.ts';
import { createTestStorage, type TestStorage } from '../database/database.ts';
import { startFakeUpstream } from '../fakes/fake-upstream.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startLoad } from '../clients/load-client.ts';
import { prepareServer, servedModel, servedPrice } from '../processes/prepare-server.ts';
import { startServer } from '../processes/server-process.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

/** What happens to the database of a server under load, one after the other. */
export interface DatabaseFaultsOptions {
  /** The durations of its outages in milliseconds. */
  readonly outagesMs: readonly number[];
  /** Of PostgreSQL: how many answers to COMMIT never arrive, or for every second one to a batch in one statement. */
  readonly lostCommits: number;
  /** Of PostgreSQL: how often another client takes rows in the opposite order, which is a conflict of serializable transactions too. */
  readonly quarrels: number;
  readonly streams: number;
  readonly plainPerSecond: number;
}

export interface DatabaseFaultsReport {
  readonly requests: number;
  readonly complete: number;
  /** Every status that a client saw, and how often; 0: none, as it was cut when the load ended. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly lostCommits: number;
  readonly conflicts: number;
  /** Empty when the ledger agrees with both journals. */
  readonly disagreements: readonly string[];
}

/** The database between the server and its faults. */
interface Faults {
  /** The server's address of the database. */
  readonly databaseUrl: string | undefined;
  begin(): void;
  end(): void;
  loseCommits(times: number): Promise<number>;
  quarrel(times: number): Promise<number>;
  close(): Promise<void>;
}

const pollMs = 20;

/** Another process that holds the lock of the file. */
const overLock = ({ dataDir }: TestStorage): Faults => {
  let other: DatabaseSync | undefined;
  return {
    databaseUrl: undefined,
    begin: () => (other ??= new DatabaseSync(join(dataDir, 'weir.db'), { timeout: 30_000 })).exec('begin immediate'),
    end: () => other?.exec('commit'),
    loseCommits: () => Promise.resolve(0),
    quarrel: () => Promise.resolve(0),
    close: async () => other?.close(),
  };
};

/** Sessions that wait for a lock of the session that runs the query. */
const waitingQuery =
  'select count(*) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';

/**
 * Takes the rows that every charge needs in the opposite order, so many times: the gateway waits for one of them and gives
 * way before the server finds a deadlock. Each time it also changes one under a serializable transaction of the gateway.
 */
const quarrelOver = async (client: Client, times: number): Promise<number> => {
  const touch = (table: 'tokens' | 'users') => client.query(`update ${table} set id = id`);
  const countWaiting = async (): Promise<number> =>
    Number((await client.query<{ count: string }>(waitingQuery)).rows[0]?.count);
  for (let count = 0; count < times; count += 1) {
    await client.query('begin');
    await touch('tokens');
    await until(async () => (await countWaiting()) > 0);
    await touch('users');
    await client.query('commit');
  }
  return times;
};

/** A faulty network, and another client of the same PostgreSQL. */
const overProxy = async (databaseUrl: string): Promise<Faults> => {
  const url = new URL(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // Conflicts that other levels wait out are failures there.
  await client.query(`alter database ${url.pathname.slice(1)} set default_transaction_isolation = 'serializable'`);
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) });
  return {
    databaseUrl: url.href,
    begin: proxy.refuse,
    end: proxy.allow,
    loseCommits: async (times) => {
      const before = proxy.swallowed;
      const lose = async (text: string, wanted: number) => {
        proxy.swallowAnswerTo(text, wanted);
        const lost = proxy.swallowed + wanted;
        while (proxy.swallowed < lost) await sleep(pollMs);
      };
      const atOnce = Math.floor(times / 2);
      await lose('commit', times - atOnce);
      // The name of a statement that is a transaction of its own.
      await lose('at once ', atOnce);
      return proxy.swallowed - before;
    },
    quarrel: (times) => quarrelOver(client, times),
    close: async () => {
      await client.end();
      await proxy.close();
    },
  };
};

const countStatuses = (clients: readonly { readonly status: number }[]): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(clients, ({ status }) => status),
      ([status, of]) => [status, of.length],
    ),
  );

/** Runs a server under load while its database fails, then compares the ledger with the journals of clients and upstream. */
export const runDatabaseFaults = async (options: DatabaseFaultsOptions): Promise<DatabaseFaultsReport> => {
  await using ends = new AsyncDisposableStack();
  const storage = ends.adopt(await createTestStorage(), ({ remove }) => remove());
  const upstream = ends.adopt(await startFakeUpstream(), ({ close }) => close());
  upstream.behave((request) => (request.stream ? { words: 40, eventDelayMs: 10 } : { delayMs: Math.random() * 20 }));
  const found = storage.databaseUrl === undefined ? overLock(storage) : await overProxy(storage.databaseUrl);
  const faults = ends.adopt(found, ({ close }) => close());
  const { databaseUrl } = faults;
  const env = {
    SECRET_KEY: 'a key that this run alone will ever know',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const server = ends.adopt(
    await startServer({ dataDir: storage.dataDir, env }),
    async ({ stop }) => void (await stop('SIGKILL')),
  );
  const key = await prepareServer(server, upstream);
  const { streams, plainPerSecond } = options;
  const load = startLoad({ url: server.url, key, model: servedModel, streams, plainPerSecond, label: 'faults' });
  /** Until a call that began after this moment is answered in full. */
  const served = async () => {
    const before = load.complete() + streams;
    await until(() => load.complete() > before);
  };
  const lostCommits = await faults.loseCommits(options.lostCommits);
  const conflicts = await faults.quarrel(options.quarrels);
  for (const ms of options.outagesMs) {
    await served();
    faults.begin();
    await sleep(ms);
    faults.end();
  }
  await served();
  const clients = await load.stop();
  const code = await server.stop('SIGTERM');
  const db = ends.adopt(await openDatabase(storage), ({ close }) => close());
  const facts = { clients, upstream: upstream.journal(), price: servedPrice };
  return {
    requests: clients.length,
    complete: clients.filter(({ complete }) => complete).length,
    statuses: countStatuses(clients),
    lostCommits,
    conflicts,
    disagreements: [...(code === 0 ? [] : [`the server ended with ${code}`]), ...(await findDisagreements(db, facts))],
  };
};
