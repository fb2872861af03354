import { sql, type Kysely } from 'kysely';

/** As in the first migration: text compares by bytes on both databases. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

/** Approved price books, and the operator's own prices in dollars. */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  const { integer, text } = columnTypes[kind];
  const strict = kind === 'sqlite';
  const table = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn('id', kind === 'sqlite' ? sql`integer primary key` : 'bigint', (column) =>
        kind === 'sqlite' ? column.notNull() : column.notNull().generatedByDefaultAsIdentity().primaryKey(),
      )
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('actor_id', integer, (column) => column.notNull());

  const books = table('price_books')
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull());
  await (strict ? books.modifyEnd(sql`strict`) : books).execute();

  const own = table('own_prices')
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('group', text, (column) => column.notNull())
    .addColumn('channel_id', integer, (column) => column.notNull())
    .addColumn('from_time', integer, (column) => column.notNull())
    .addColumn('card', text, (column) => column.notNull())
    .addUniqueConstraint('own_prices_key', ['model', 'group', 'channel_id', 'from_time']);
  await (strict ? own.modifyEnd(sql`strict`) : own).execute();
};
