import { sql, type Kysely } from 'kysely';

/**
 * Each charge adds to what its channel has used. With one row for all nodes, every batch of every node waited for the others
 * that charged the same channel; so on PostgreSQL each node has a row of its own for each channel.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const [integer, text, end] =
    kind === 'sqlite'
      ? [sql`integer`, sql`text`, sql` strict, without rowid`]
      : [sql`bigint`, sql`text collate "C"`, sql``];
  await sql`create table channel_uses (channel_id ${integer} not null, node ${text} not null, used ${integer} not null check (used >= 0),
    primary key (channel_id, node))${end}`.execute(db);
};
