import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What a row of `channels` has used: its own sum, and those of the nodes of a PostgreSQL that are not in it yet. */
export const usedQuota = sql<number>`channels.used + (select coalesce(sum(by_node.used), 0)
  from channel_uses as by_node where by_node.channel_id = channels.id)`;

type Folding = Pick<Database, 'kind' | 'read' | 'write'>;

/** A node that charges through the channel meanwhile waits, and then begins a new row. */
const foldChannel = ({ kind, write }: Folding, channelId: number): Promise<void> =>
  write.transaction().execute(async (trx) => {
    const found = trx.selectFrom('channel_uses').selectAll().where('channel_id', '=', channelId).orderBy('node');
    const rows = await (kind === 'postgres' ? found.forUpdate() : found).execute();
    if (rows.length === 0) return;
    const sum = rows.reduce((total, { used }) => total + used, 0);
    const nodes = rows.map(({ node }) => node);
    await trx
      .updateTable('channels')
      .set((eb) => ({ used: eb('used', '+', sum) }))
      .where('id', '=', channelId)
      .execute();
    await trx.deleteFrom('channel_uses').where('channel_id', '=', channelId).where('node', 'in', nodes).execute();
  });

/** Moves the sums of the nodes into the rows of the channels: those of nodes that are gone would stay for good. */
export const foldUsesByNode = async (db: Folding): Promise<void> => {
  const channels = await db.read.selectFrom('channel_uses').select('channel_id').distinct().execute();
  for (const { channel_id: id } of channels) await foldChannel(db, id);
};
