import { sql, type Kysely } from 'kysely';

/**
 * Columns by which users and codes are searched, ignoring case: `beginsWithIndexed` of `store/search.ts` reads a range
 * of these.
 */
const searched: readonly (readonly [table: string, column: string])[] = [
  ['users', 'username'],
  ['users', 'display_name'],
  ['users', 'email'],
  ['redemptions', 'name'],
];

export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  for (const [table, column] of searched) {
    const index = sql.ref(`${table}_lower_${column}_index`);
    // On SQLite every index already ends with the row's id.
    const id = kind === 'sqlite' ? sql`` : sql`, id`;
    await sql`create index ${index} on ${sql.table(table)} (lower(${sql.ref(column)})${id})`.execute(db);
  }
};
