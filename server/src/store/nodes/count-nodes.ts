import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { nodeLockSpace } from './node-lock.ts';

/** The nodes that have a connection that moves money, this one included. A SQLite file belongs to one process. */
export const countNodes = async ({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<number> => {
  if (kind === 'sqlite') return 1;
  const nodes = sql<number>`(select count(*) from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and classid = ${sql.lit(nodeLockSpace)} and objid::bigint <> 0
      and database = (select oid from pg_database where datname = current_database()))`;
  const row = await read.selectFrom('instance').select(nodes.as('nodes')).limit(1).executeTakeFirst();
  return Math.max(1, Number(row?.nodes ?? 1));
};
