import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { Migrator, type Migration } from 'kysely/migration';
import type { Kysely } from 'kysely';
import { AppError, StartError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { migrations } from './migrations.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** In the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Those of this version among them that are not applied; a later version may have applied more. */
export const missingMigrations = (applied: readonly string[]): readonly string[] =>
  migrationNames.filter((name) => !applied.includes(name));

interface MigrateOptions {
  readonly db: Kysely<Schema>;
  readonly kind: DatabaseKind;
  /** The last migration to apply; all of them when left out. */
  readonly upTo?: string;
  readonly onMigration?: ((name: string) => void) | undefined;
}

/** Another transaction kept a table for longer than this session waits for it (PostgreSQL, appendix A). */
const lockTimeout = '55P03';
/** While others wait for nothing of this. */
const lockPauseMs = 2000;
/** Longer than a backup of some hundred million rows. */
const lockPatienceMs = 30 * 60_000;

const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === lockTimeout;

/** The error that ended it; undefined: what was missing is applied. */
const migrateOnce = async ({ db, kind, upTo, onMigration }: MigrateOptions): Promise<unknown> => {
  const provider = {
    getMigrations: async () => {
      const named: Record<string, Migration> = {};
      for (const [name, up] of Object.entries(migrations)) {
        named[name] = {
          up: (target) => {
            onMigration?.(name);
            return up(target, kind);
          },
        };
      }
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
  return error;
};

/**
 * Applies what is missing. All of it is one transaction on both databases: killed at any point, the schema is as it
 * was before. PostgreSQL lets one node in at a time. There a table that another transaction uses is waited for in short
 * turns: what asks for the table behind a migration waits for it too.
 */
export const migrate = async (options: MigrateOptions): Promise<void> => {
  const limit = performance.now() + lockPatienceMs;
  let error = await migrateOnce(options);
  while (isLockTimeout(error) && performance.now() < limit) {
    options.onMigration?.('waiting for a table that another transaction uses');
    await sleep(lockPauseMs);
    error = await migrateOnce(options);
  }
  if (error === undefined) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new StartError(
      'The database was created by a newer version of Weir; start that version or a later one',
      error,
    );
  }
  // The database is away or full, which says nothing about the migrations.
  if (error instanceof AppError) throw error;
  throw new Error('The migrations failed', { cause: error });
};
