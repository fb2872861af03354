import { StartError } from '../../errors.ts';
import type { Secrets } from '../credentials/secrets.ts';
import type { CopySource, Row, TableShape } from './copy-source.ts';

/** Tables with a key that is sealed to its digest. */
const sealedTables: readonly string[] = ['tokens', 'channels', 'redemptions', 'invitations'];

const findRow = async (source: CopySource, table: TableShape, fits: (row: Row) => boolean) => {
  for await (const rows of source.rows(table)) {
    const row = rows.find(fits);
    if (row !== undefined) return row;
  }
  return undefined;
};

/** The fingerprint of the key that sealed the secrets of a source; undefined: nothing was sealed yet. */
export const readFingerprint = async (source: CopySource): Promise<string | undefined> => {
  const table = source.tables.find(({ name }) => name === 'instance');
  if (table === undefined) return undefined;
  const [key, value] = [table.columns.indexOf('key'), table.columns.indexOf('value')];
  const row = await findRow(source, table, (each) => each[key] === 'secret_fingerprint');
  return row === undefined ? undefined : String(row[value]);
};

/** Opens one sealed key of a source: its table, or undefined where there is none. Throws where it does not open. */
export const openOneSealed = async (source: CopySource, secrets: Secrets): Promise<string | undefined> => {
  for (const table of source.tables) {
    if (!sealedTables.includes(table.name)) continue;
    const [sealed, digest] = [table.columns.indexOf('key_sealed'), table.columns.indexOf('key_digest')];
    const row = await findRow(source, table, (each) => each[sealed] !== '');
    if (row === undefined) continue;
    try {
      secrets.open(String(row[sealed]), `${table.name}/key_sealed/${row[digest]}`);
    } catch (error) {
      throw new StartError(
        `A sealed key of ${table.name} does not open: it is damaged, or a change of the secret key is not finished`,
        error,
      );
    }
    return table.name;
  }
  return undefined;
};
