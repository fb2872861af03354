import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const tables = {
  key_presets: {
    text: ['name', 'models', 'subnet'],
    integer: ['remain_quota', 'unlimited_quota', 'days', 'created_time'],
  },
  invitations: {
    text: ['name', 'key_digest', 'key_sealed', 'account_group'],
    integer: ['team_id', 'preset_id', 'uses', 'uses_max', 'expires_at', 'created_by', 'created_time', 'deleted_time'],
  },
} as const;

/** Terms that new tokens begin with, and links that open an account with a group, a team and such a token. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const strict = kind === 'sqlite';
  for (const [name, columns] of Object.entries(tables)) {
    let table = db.schema
      .createTable(name)
      .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
        strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
      );
    for (const type of ['text', 'integer'] as const)
      for (const column of columns[type])
        table = table.addColumn(column, columnTypes[kind][type], (made) => made.notNull());
    await (strict ? table.modifyEnd(sql`strict`) : table).execute();
  }
  await sql`create unique index invitations_key on invitations (key_digest)`.execute(db);
};
