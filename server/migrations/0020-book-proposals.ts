import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Price books that wait for approval, and those of releases that were dismissed. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const strict = kind === 'sqlite';
  const proposals = db.schema
    .createTable('book_proposals')
    .addColumn('id', strict ? sql`integer primary key autoincrement` : 'bigint', (column) =>
      strict ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
    )
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('actor_id', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('dismissed', integer, (column) => column.notNull());
  await (strict ? proposals.modifyEnd(sql`strict`) : proposals).execute();
};
