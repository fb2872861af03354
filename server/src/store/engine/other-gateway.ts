import { DatabaseSync } from 'node:sqlite';
import { sql, type Kysely } from 'kysely';
import { StartError } from '../../errors.ts';
import type { Schema } from '../schema.ts';

/** Tables of One API and of what was made from it. This program has them too, and `instance` beside them. */
const theirs = ['users', 'tokens', 'channels', 'abilities', 'options'];
const ours = 'instance';

/** Whether a file is the SQLite database of One API, or of a gateway that was made from it. */
export const isOtherGatewayFile = (path: string): boolean => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const names = new Set(
      database
        .prepare(`select name from sqlite_master where type = 'table'`)
        .all()
        .map(({ name }) => String(name)),
    );
    return theirs.every((name) => names.has(name)) && !names.has(ours);
  } catch {
    return false;
  } finally {
    database?.close();
  }
};

/** Throws where a PostgreSQL database is another gateway's: its tables have the same names. */
export const refuseOtherGateway = async (db: Kysely<Schema>): Promise<void> => {
  const { rows } = await sql<{ readonly other: boolean }>`select to_regclass('abilities') is not null
    and to_regclass(${ours}) is null as other`.execute(db);
  if (rows[0]?.other === true) {
    throw new StartError(
      'The PostgreSQL database is that of One API or another gateway. Set DATABASE_URL to an empty database, and import the other one into it: npm run import -- --from <its URL> (docs/moving-from-one-api.md)',
    );
  }
};
