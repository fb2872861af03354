import { sql } from 'kysely';

/** Names the lock that a process has on its node's name, among other users of PostgreSQL's advisory locks. */
export const nodeLockSpace = 0x57656972;

/** The rows of the locks that processes of this database have on their nodes' names, up to further conditions. */
export const grantedNodeLocks = sql`pg_locks
  where locktype = 'advisory' and granted and objsubid = 2 and classid = ${sql.lit(nodeLockSpace)}
    and database = (select oid from pg_database where datname = current_database())`;
