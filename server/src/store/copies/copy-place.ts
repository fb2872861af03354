import { existsSync } from 'node:fs';
import { StartError } from '../../errors.ts';
import { claimDataDirectory, databasePath } from '../engine/data-directory.ts';
import type { CopySource } from './copy-source.ts';
import { fillPostgres } from './fill-postgres.ts';
import { fillSqlite } from './fill-sqlite.ts';
import type { Copied, FillOptions } from './fill-steps.ts';
import { connectForCopies, hasRunningNodes, openPostgresCopySource } from './postgres-copy.ts';
import { openSqliteCopySource } from './sqlite-copy.ts';

/** Where a database is: SQLite in the data directory, or a PostgreSQL URL. */
export interface CopyPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

export const openCopySource = async ({ dataDir, databaseUrl }: CopyPlace): Promise<CopySource> => {
  if (databaseUrl !== undefined) return openPostgresCopySource(databaseUrl);
  const path = databasePath(dataDir);
  if (!existsSync(path)) throw new StartError(`There is no database in ${dataDir}`);
  return openSqliteCopySource(path);
};

export const fillPlace = (
  { dataDir, databaseUrl }: CopyPlace,
  source: CopySource,
  options: FillOptions,
): Promise<readonly Copied[]> =>
  databaseUrl === undefined ? fillSqlite(dataDir, source, options) : fillPostgres(databaseUrl, source, options);

const refuseNodes = async (databaseUrl: string): Promise<void> => {
  const client = await connectForCopies(databaseUrl);
  try {
    if (await hasRunningNodes(client)) throw new StartError('A gateway is running on the source; stop it first');
  } finally {
    await client.end();
  }
};

/** Runs `use` while no gateway uses the place: what it wrote meanwhile would be lost. */
export const whileStopped = async <Result>(
  { dataDir, databaseUrl }: CopyPlace,
  use: () => Promise<Result>,
): Promise<Result> => {
  if (databaseUrl !== undefined) {
    await refuseNodes(databaseUrl);
    const result = await use();
    await refuseNodes(databaseUrl);
    return result;
  }
  if (!existsSync(databasePath(dataDir))) throw new StartError(`There is no database in ${dataDir}`);
  const directory = claimDataDirectory(dataDir);
  try {
    return await use();
  } finally {
    directory.release();
  }
};
