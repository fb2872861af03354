import type { Database, DatabaseTransaction, ReadQueries, WriteQueries } from '../database.ts';

/** The fact of a database into which an import was begun. While it is there, no server starts on it. */
export const importFact = 'import';

/** How far an import has come. */
export interface ImportState {
  readonly stage: 'accounts' | 'logs';
  /** Tells the source from another one. */
  readonly source: string;
  /** The last log row that came over. */
  readonly logId: number;
}

const isState = (value: unknown): value is ImportState =>
  typeof value === 'object' &&
  value !== null &&
  'stage' in value &&
  (value.stage === 'accounts' || value.stage === 'logs') &&
  'source' in value &&
  typeof value.source === 'string' &&
  'logId' in value &&
  typeof value.logId === 'number';

/** The import that was begun and not finished; undefined: there is none. */
export const readImportState = async (query: ReadQueries): Promise<ImportState | undefined> => {
  const row = await query.selectFrom('instance').select('value').where('key', '=', importFact).executeTakeFirst();
  if (row === undefined) return undefined;
  const state: unknown = JSON.parse(row.value);
  if (!isState(state)) throw new TypeError('The state of the import cannot be read');
  return state;
};

export const writeImportState = async (query: WriteQueries, state: ImportState): Promise<void> => {
  const value = JSON.stringify(state);
  await query
    .insertInto('instance')
    .values({ key: importFact, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
};

/** Ends an import: servers may start. */
export const endImport = async (trx: DatabaseTransaction): Promise<void> => {
  await trx.deleteFrom('instance').where('key', '=', importFact).execute();
};

const filledTables = ['users', 'tokens', 'channels', 'redemptions', 'options', 'ledger', 'logs', 'audit'] as const;

/** The tables that have rows: an import goes into none of them. */
export const findFilledTables = async ({ read }: Pick<Database, 'read'>): Promise<readonly string[]> => {
  const filled: string[] = [];
  for (const table of filledTables) {
    const row = await read
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) filled.push(table);
  }
  return filled;
};
