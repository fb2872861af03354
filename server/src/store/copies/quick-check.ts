import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { databasePath } from '../engine/data-directory.ts';
import { toPlainError } from '../engine/database-error.ts';

/** Reads every page of a database file: undefined, or what is damaged. Throws where it cannot be read at all. */
export const quickCheck = (dataDir: string): string | undefined => {
  const path = databasePath(dataDir);
  if (!existsSync(path)) throw new StartError(`There is no database in ${dataDir}`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    const rows = database.prepare('pragma quick_check(1)').all();
    const text = String(rows[0]?.['quick_check'] ?? '')
      .split('\n')
      .join(' ');
    return text === 'ok' ? undefined : `the file ${path} is damaged: ${text}`;
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${toPlainError(error).message}`, error);
  } finally {
    database?.close();
  }
};
