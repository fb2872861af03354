import { DatabaseError, type Client, type QueryResultRow } from 'pg';
import { AppError } from '../../../errors.ts';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { postToPostgres, postUnlocked, type PostgresRunner } from './postgres-accounts.ts';
import { postgresStatement, type PostgresStatement } from './postgres-statements.ts';

/** The outcome of an attempt to commit a batch. */
export type Ended =
  /** Undefined: a row of this posting is locked elsewhere. */
  | { readonly kind: 'done'; readonly results: readonly (PostingResult | undefined)[] }
  /** A row stayed locked elsewhere. Nothing of the batch stayed. */
  | { readonly kind: 'locked' }
  /**
   * It may be tried again. Nothing of the batch stayed, or all of it where the answer to COMMIT was lost: then the ledger
   * knows its operations and the second attempt finds them done.
   */
  | { readonly kind: 'again'; readonly error?: Error }
  | { readonly kind: 'failed'; readonly error: Error };

/** Deadlock, serialization failure, lock and statement timeouts (PostgreSQL, appendix A). */
const lockTimeout = '55P03';
const passing = new Set(['40001', '40P01', lockTimeout, '57014']);
const diskFull = '53100';

/**
 * The plan of a statement is kept for the connection, and the first are made while the tables are empty: a scan of the
 * whole table looks cheap then. Every statement of a posting finds its rows by a key.
 */
const planning = 'set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan';

/** For what cannot be left out because of a lock: a new row whose key another transaction is writing. */
const leastLockWaitMs = 20;

/** The server is shutting down, refuses connections, lacks a resource or has become a read-only copy. */
export const serverGone = (code: string | undefined) => code !== undefined && /^(08|53|57P|25006)/.test(code);

const classify = (error: unknown, lockWaitMs: number): Ended => {
  if (!(error instanceof DatabaseError)) return error instanceof Error ? { kind: 'again', error } : { kind: 'again' };
  if (error.code === diskFull) return { kind: 'failed', error: new AppError('storage_full', {}, error) };
  if (error.code === lockTimeout && lockWaitMs > 0) return { kind: 'locked' };
  if (passing.has(error.code ?? '') || serverGone(error.code)) return { kind: 'again', error };
  return { kind: 'failed', error };
};

/** Whether the connection is still good after this failure. */
export const keepsConnection = (error: unknown): boolean => error instanceof DatabaseError && !serverGone(error.code);

const runnerOn = (client: Client): PostgresRunner => {
  const ask = <Row extends QueryResultRow>(name: PostgresStatement, parameter: unknown) =>
    client.query<Row>({ name, text: postgresStatement(name), values: [parameter] });
  return {
    rows: async <Row extends QueryResultRow>(statement: PostgresStatement, parameter: unknown) =>
      (await ask<Row>(statement, parameter)).rows,
    write: async (statement, parameter) => (await ask(statement, parameter)).rowCount ?? 0,
    control: async (text) => void (await client.query(text)),
  };
};

/** One batch in one transaction. */
export const transact = async (
  client: Client,
  postings: readonly Posting[],
  { identity, lockWaitMs }: { readonly identity: NodeIdentity; readonly lockWaitMs: number },
): Promise<Ended> => {
  try {
    await client.query(`begin; ${planning}; set local lock_timeout = ${Math.max(leastLockWaitMs, lockWaitMs)}`);
    const post = lockWaitMs === 0 ? postUnlocked : postToPostgres;
    const results = await post(runnerOn(client), postings, identity);
    await client.query('commit');
    return { kind: 'done', results };
  } catch (error) {
    if (keepsConnection(error)) await client.query('rollback').catch(() => undefined);
    return classify(error, lockWaitMs);
  }
};
