import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** A comparison of the whole ledger reads 100 million entries in about a minute. */
const statementMaxMs = 600_000;

/** Reads within one transaction that sees one point in time. Those of SQLite do so at any isolation level. */
export const snapshotOf =
  (read: Kysely<Schema>, kind: Database['kind']): Database['snapshot'] =>
  (run) => {
    const reading = read.transaction().setAccessMode('read only');
    if (kind === 'sqlite') return reading.execute(run);
    return reading.setIsolationLevel('repeatable read').execute(async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(statementMaxMs)}`.execute(trx);
      return run(trx);
    });
  };
