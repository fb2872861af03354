import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/store/open-database.ts';
import type { Database } from '../../src/store/database.ts';
import type { ClientEntry } from '../clients/client-entry.ts';
import { createTestStorage } from '../database/database.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { startLoad } from '../clients/load-client.ts';
import { signInTo } from '../clients/management-client.ts';
import { sendRaw } from '../clients/raw-client.ts';
import { prepareServer, servedModel, servedPrice } from '../processes/prepare-server.ts';
import { until } from '../app/relay-app.ts';
import { rootPassword, type ServerProcess, startServer } from '../processes/server-process.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

export interface KillLoopOptions {
  readonly rounds: number;
  readonly streams: number;
  readonly plainPerSecond: number;
  /** The least and most milliseconds under load before a kill. */
  readonly aliveMs: readonly [least: number, most: number];
  /** No round begins later than so many seconds after the first; absent: all of them are played. */
  readonly secondsMax?: number;
}

export interface KillLoopReport {
  readonly rounds: number;
  readonly requests: number;
  readonly complete: number;
  readonly billed: number;
  /** The refused call that was stored before the first kill has its record and its count. */
  readonly keepsRefused: boolean;
  /** Empty when the ledger agrees with both journals. */
  readonly disagreements: readonly string[];
}

const secretKey = 'a key that all nodes of this test know';

type CreatedStorage = Awaited<ReturnType<typeof createTestStorage>>;
type Environment = Readonly<Record<string, string>>;

/** A call that is refused; resolves to its request id once it is stored. */
const refuse = async ({ url }: ServerProcess): Promise<string> => {
  const answer = await sendRaw({ url, method: 'GET', path: '/v1/models' });
  const root = await signInTo(url, 'root', rootPassword);
  const stored = () => root.call<readonly unknown[]>('GET', `/api/log/search?keyword=${answer.requestId}`);
  await until(async () => (await stored()).length > 0);
  return answer.requestId;
};

/** Starts, loads and kills the server repeatedly; resolves to the clients' entries. */
const killAgainAndAgain = async (
  { dataDir }: CreatedStorage,
  env: Environment,
  upstream: FakeUpstream,
  { rounds, streams, plainPerSecond, aliveMs: [least, most], secondsMax = Infinity }: KillLoopOptions,
): Promise<{ readonly clients: readonly ClientEntry[]; readonly rounds: number; readonly refused: string }> => {
  const limit = performance.now() + secondsMax * 1000;
  const clients: ClientEntry[] = [];
  let key = '';
  let refused = '';
  let round = 0;
  for (; round < rounds && performance.now() < limit; round += 1) {
    const server = await startServer({ dataDir, env });
    try {
      if (key === '') key = await prepareServer(server, upstream);
      const load = startLoad({
        url: server.url,
        key,
        model: servedModel,
        streams,
        plainPerSecond,
        label: `round${round}`,
      });
      // However slow the machine is, every other round has work that was finished; the rest may die before there is any.
      if (round % 2 === 0) await until(() => load.complete() > 0);
      if (refused === '') refused = await refuse(server);
      await sleep(least + Math.random() * (most - least));
      // May be lost: it is written a moment later.
      sendRaw({ url: server.url, method: 'GET', path: '/v1/models' }).catch(() => undefined);
      await server.stop('SIGKILL');
      clients.push(...(await load.stop()));
    } finally {
      await server.stop('SIGKILL');
    }
  }
  return { clients, rounds: round, refused };
};

const keepsRefused = async (db: Database, requestId: string): Promise<boolean> => {
  const records = await db.read.selectFrom('refusals').select('request_id').execute();
  const sums = await db.read.selectFrom('refusal_sums').select('count').execute();
  const counted = sums.reduce((sum, { count }) => sum + Number(count), 0);
  return records.some((record) => record.request_id === requestId) && counted >= records.length;
};

const countUses = async (db: Database): Promise<number> => {
  const row = await db.read
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number>().as('uses'))
    .where('kind', '=', 'use')
    .executeTakeFirstOrThrow();
  return Number(row.uses);
};

/**
 * Kills the server with SIGKILL at random moments under load, starts it again each time, and at the end compares the
 * ledger with the journals of the clients and the upstream.
 */
export const runKillLoop = async (options: KillLoopOptions): Promise<KillLoopReport> => {
  const storage = await createTestStorage();
  const { dataDir, databaseUrl } = storage;
  const upstream = await startFakeUpstream();
  upstream.behave((request) => (request.stream ? { words: 30, eventDelayMs: 8 } : { delayMs: Math.random() * 20 }));
  const env = { SECRET_KEY: secretKey, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
  try {
    const { clients, rounds, refused } = await killAgainAndAgain(storage, env, upstream, options);
    // One more start settles or releases what the last kill left open.
    const last = await startServer({ dataDir, env });
    await last.stop('SIGTERM');
    const db = await openDatabase({ dataDir, databaseUrl });
    try {
      return {
        rounds,
        requests: clients.length,
        complete: clients.filter((client) => client.complete).length,
        billed: await countUses(db),
        keepsRefused: await keepsRefused(db, refused),
        disagreements: await findDisagreements(db, {
          clients,
          upstream: upstream.journal(),
          price: servedPrice,
          crashes: true,
        }),
      };
    } finally {
      await db.close();
    }
  } finally {
    await upstream.close();
    await storage.remove();
  }
};
