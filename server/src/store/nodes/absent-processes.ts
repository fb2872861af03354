import { type RawBuilder, sql } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import type { NodeIdentity } from '../ledger/accounts-state.ts';
import { grantedNodeLocks } from './node-lock.ts';

/** Whether a process of this node has a connection to PostgreSQL that moves money. */
export const isConnected = (node: RawBuilder<string>) =>
  sql<boolean>`exists (select 1 from ${grantedNodeLocks} and objid::bigint = hashtext(${node})::bigint & 4294967295)`;

/** Whether nodes other than this one have such a connection. */
export const areOthersConnected = async (query: ReadQueries, node: string): Promise<boolean> => {
  const others = sql<number>`(select count(*) from ${grantedNodeLocks}
    and objid::bigint <> hashtext(${node})::bigint & 4294967295)`;
  const row = await query.selectFrom('instance').select(others.as('others')).limit(1).executeTakeFirst();
  return Number(row?.others ?? 0) > 0;
};

/**
 * The processes that have holds and no connection that moves money: they have ended, or lost it for the moment. On
 * PostgreSQL such a connection has a lock on its node's name, and a later process of a node has a larger epoch. A SQLite
 * file belongs to one process.
 */
export const findAbsentProcesses = async (
  db: Pick<Database, 'kind' | 'read' | 'identity'>,
): Promise<readonly NodeIdentity[]> => {
  const { node, epoch } = db.identity;
  const others = db.read
    .selectFrom('holds')
    .select(['holds.node', 'holds.epoch'])
    .distinct()
    .where((eb) => eb.or([eb('holds.node', '<>', node), eb('holds.epoch', '<>', epoch)]));
  if (db.kind === 'sqlite') return others.execute();
  return others
    .leftJoin('instance', (on) => on.on('instance.key', '=', sql<string>`'epoch:' || holds.node`))
    .where(sql<boolean>`(holds.epoch::text <> instance.value or not ${isConnected(sql.ref('holds.node'))})`)
    .execute();
};
