import { sql, type Kysely } from 'kysely';

/** What upstreams keep of answers, by the ids that clients name it with later: whose it is, where it is, how large. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table upstream_states (
    id text not null primary key,
    user_id bigint not null,
    origin_id text not null,
    channel_key text not null,
    tokens bigint,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index upstream_states_expires_at_index on upstream_states (expires_at)`.execute(db);
};
