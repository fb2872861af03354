import { join } from 'node:path';
import { createTestStorage, testDatabaseKind } from '../database/database.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** Servers of their own processes over one database. */
export interface Nodes {
  readonly storage: Awaited<ReturnType<typeof createTestStorage>>;
  readonly count: number;
  /** Of node `index`, counted around. */
  url(index: number): string;
  /** Kills a node with SIGKILL and starts it again; its address is another one then. */
  killAndRestart(index: number): Promise<void>;
  /** Ends all of them in order; the database stays until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const secretKey = 'a key that all nodes of this test know';

/** Several processes can share a PostgreSQL; a SQLite file belongs to one. */
export const startNodes = async (requestedCount: number): Promise<Nodes> => {
  const storage = await createTestStorage();
  const { dataDir, databaseUrl } = storage;
  const count = testDatabaseKind === 'postgres' ? requestedCount : 1;
  const start = (index: number): Promise<ServerProcess> =>
    startServer({
      dataDir: databaseUrl === undefined ? dataDir : join(dataDir, `node${index}`),
      env: {
        SECRET_KEY: secretKey,
        NODE_NAME: `node${index}`,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
    });
  const nodes: ServerProcess[] = [];
  const stop = async () => void (await Promise.all(nodes.splice(0).map((node) => node.stop('SIGTERM'))));
  const close = async () => {
    await stop();
    await storage.remove();
  };
  try {
    for (let index = 0; index < count; index += 1) nodes.push(await start(index));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    storage,
    count,
    url: (index) => nodes[index % count]?.url ?? '',
    killAndRestart: async (index) => {
      await nodes[index % count]?.stop('SIGKILL');
      nodes[index % count] = await start(index % count);
    },
    stop,
    close,
  };
};
