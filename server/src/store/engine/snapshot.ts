import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** Reads within one transaction that sees one point in time. Those of SQLite do so at any isolation level. */
export const snapshotOf =
  (read: Kysely<Schema>, kind: Database['kind']): Database['snapshot'] =>
  (run) => {
    const reading = read.transaction().setAccessMode('read only');
    return (kind === 'sqlite' ? reading : reading.setIsolationLevel('repeatable read')).execute(run);
  };
