import { sql, type Kysely } from 'kysely';

/** What each node last said of itself. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const [integer, text, end] =
    kind === 'sqlite'
      ? [sql`integer`, sql`text`, sql` strict, without rowid`]
      : [sql`bigint`, sql`text collate "C"`, sql``];
  await sql`create table nodes (
    name ${text} not null primary key, epoch ${integer} not null, version ${text} not null,
    started_at ${integer} not null, seen_at ${integer} not null, load ${text} not null)${end}`.execute(db);
};
