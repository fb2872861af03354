import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Teams are accounts without a sign-in. Their members, and the member that each of their tokens is of. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const types = columnTypes[kind];
  const strict = kind === 'sqlite';
  await sql`alter table users add column is_team ${types.integer} not null default 0`.execute(db);
  await sql`create index users_teams on users (id) where is_team = 1`.execute(db);
  await sql`alter table tokens add column member_id ${types.integer} not null default 0`.execute(db);
  await sql`create index tokens_member on tokens (member_id) where member_id > 0`.execute(db);
  let table = db.schema
    .createTable('team_members')
    .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
      strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('role', types.text, (column) => column.notNull());
  for (const column of ['team_id', 'user_id', 'joined_time', 'left_time'])
    table = table.addColumn(column, types.integer, (made) => made.notNull());
  await (strict ? table.modifyEnd(sql`strict`) : table).execute();
  await sql`create unique index team_members_key on team_members (team_id, user_id)`.execute(db);
  await sql`create index team_members_user on team_members (user_id) where left_time = 0`.execute(db);
};
