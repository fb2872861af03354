import { Client } from 'pg';

const answerMs = 1000;

/**
 * A connection for probes alone, made anew after each failure: those of the pool may be lost without a sign of it, and
 * then say nothing about the server.
 */
export const createPostgresProbe = (databaseUrl: string) => {
  let client: Promise<Client> | undefined;
  const open = async (): Promise<Client> => {
    const next = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    next.on('error', () => undefined);
    await next.connect();
    return next;
  };
  const drop = (lost: Promise<Client> | undefined) => {
    lost?.then((connected) => connected.end()).catch(() => undefined);
    if (client === lost) client = undefined;
  };
  return {
    /** The names of the migrations that the database has. */
    migrations: async (): Promise<readonly string[]> => {
      // Probes at the same time share the connection.
      client ??= open();
      const used = client;
      try {
        const { rows } = await (await used).query<{ name: string }>('select name from migrations');
        return rows.map(({ name }) => name);
      } catch (error) {
        drop(used);
        throw error;
      }
    },
    close: () => drop(client),
  };
};
