import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { grantedNodeLocks } from './node-lock.ts';

/** The nodes that have a connection that moves money, this one included. A SQLite file belongs to one process. */
export const countNodes = async ({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<number> => {
  if (kind === 'sqlite') return 1;
  const nodes = sql<number>`(select count(*) from ${grantedNodeLocks} and objid::bigint <> 0)`;
  const row = await read.selectFrom('instance').select(nodes.as('nodes')).limit(1).executeTakeFirst();
  return Math.max(1, Number(row?.nodes ?? 1));
};
