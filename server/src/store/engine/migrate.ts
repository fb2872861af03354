import { Migrator, type Migration } from 'kysely/migration';
import type { Kysely } from 'kysely';
import { StartError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import * as initial from '../../../migrations/0001-initial.ts';
import * as searchIndexes from '../../../migrations/0002-search-indexes.ts';
import * as channelHealth from '../../../migrations/0003-channel-health.ts';
import * as logDays from '../../../migrations/0004-log-days.ts';
import * as logOthers from '../../../migrations/0005-log-others.ts';
import * as logDaysOfOne from '../../../migrations/0006-log-days-of-one.ts';
import * as importedLogins from '../../../migrations/0007-imported-logins.ts';
import * as logOthersCounted from '../../../migrations/0008-log-others-counted.ts';
import * as logIndex from '../../../migrations/0009-log-index.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** In the order they run in; forward only, and never edited once released. */
const migrations = {
  '0001-initial': initial,
  '0002-search-indexes': searchIndexes,
  '0003-channel-health': channelHealth,
  '0004-log-days': logDays,
  '0005-log-others': logOthers,
  '0006-log-days-of-one': logDaysOfOne,
  '0007-imported-logins': importedLogins,
  '0008-log-others-counted': logOthersCounted,
  '0009-log-index': logIndex,
} as const;

export const migrationNames: readonly string[] = Object.keys(migrations);

interface MigrateOptions {
  readonly db: Kysely<Schema>;
  readonly kind: DatabaseKind;
  /** The last migration to apply; all of them when left out. */
  readonly upTo?: string;
}

/**
 * Applies what is missing. All of it is one transaction on both databases: killed at any point, the schema is as it
 * was before. PostgreSQL lets one node in at a time.
 */
export const migrate = async ({ db, kind, upTo }: MigrateOptions): Promise<void> => {
  const provider = {
    getMigrations: async () => {
      const named: Record<string, Migration> = {};
      for (const [name, { up }] of Object.entries(migrations)) named[name] = { up: (target) => up(target, kind) };
      return named;
    },
  };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error === undefined) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new StartError(
      'The database was created by a newer version of Weir; start that version or a later one',
      error,
    );
  }
  throw new Error('The migrations failed', { cause: error });
};
