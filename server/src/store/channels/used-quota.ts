import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What a row of `channels` has used: its own sum, and those of the nodes of a PostgreSQL that are not in it yet. */
export const usedQuota = sql<number>`channels.used + (select coalesce(sum(by_node.used), 0)
  from channel_uses as by_node where by_node.channel_id = channels.id)`;

type Folding = Pick<Database, 'kind' | 'read' | 'write'>;

/**
 * One statement, so that no node waits for this process. Its first lock is that of the channel, which is passed by while an
 * edit has it. A node that charges through the channel meanwhile waits for the statement, and then begins a new row.
 */
const foldOnPostgres = ({ write }: Folding, channelId: number) =>
  sql`with target as (select id from channels where id = ${channelId} for no key update skip locked),
      removed as (delete from channel_uses using target where channel_uses.channel_id = target.id
        returning channel_uses.used)
    update channels set used = channels.used + (select coalesce(sum(removed.used), 0) from removed)
      from target where channels.id = target.id`.execute(write);

/** Rows that were moved from a PostgreSQL. */
const foldOnSqlite = ({ write }: Folding, channelId: number) =>
  write.transaction().execute(async (trx) => {
    await trx.updateTable('channels').set({ used: usedQuota }).where('id', '=', channelId).execute();
    await trx.deleteFrom('channel_uses').where('channel_id', '=', channelId).execute();
  });

/** Moves the sums of the nodes into the rows of the channels: those of nodes that are gone would stay for good. */
export const foldUsesByNode = async (db: Folding): Promise<void> => {
  const fold = db.kind === 'postgres' ? foldOnPostgres : foldOnSqlite;
  const channels = await db.read.selectFrom('channel_uses').select('channel_id').distinct().execute();
  for (const { channel_id: id } of channels) await fold(db, id);
};
