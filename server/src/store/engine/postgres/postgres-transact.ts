import { DatabaseError, type Client, type QueryResultRow } from 'pg';
import { AppError } from '../../../errors.ts';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { postToPostgres, type PostgresRunner } from './postgres-accounts.ts';
import { postgresStatement, type PostgresStatement } from './postgres-statements.ts';

/** The outcome of an attempt to commit a batch. */
export type Ended =
  | { readonly kind: 'done'; readonly results: readonly PostingResult[] }
  /** Nothing of the batch stayed; it may be tried again. */
  | { readonly kind: 'again'; readonly error?: Error }
  /** The reply to COMMIT was lost. */
  | { readonly kind: 'unknown'; readonly transaction: string; readonly results: readonly PostingResult[] }
  | { readonly kind: 'failed'; readonly error: Error };

/** Deadlock, serialization failure, lock and statement timeouts (PostgreSQL, appendix A). */
const passing = new Set(['40001', '40P01', '55P03', '57014']);
const diskFull = '53100';

/** The server is shutting down, refuses connections, lacks a resource or has become a read-only copy. */
export const serverGone = (code: string | undefined) => code !== undefined && /^(08|53|57P|25006)/.test(code);

const classify = (error: unknown): Ended => {
  if (!(error instanceof DatabaseError)) return error instanceof Error ? { kind: 'again', error } : { kind: 'again' };
  if (error.code === diskFull) return { kind: 'failed', error: new AppError('storage_full', {}, error) };
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
  identity: NodeIdentity,
): Promise<Ended> => {
  try {
    const [, named] = await Promise.all([
      client.query('begin'),
      client.query<{ id: string }>('select pg_current_xact_id()::text as id'),
    ]);
    const results = await postToPostgres(runnerOn(client), postings, identity);
    try {
      await client.query('commit');
    } catch (error) {
      // An answer of the server, even a refusal, is an outcome; no answer is not.
      if (error instanceof DatabaseError) throw error;
      return { kind: 'unknown', transaction: named.rows[0]?.id ?? '', results };
    }
    return { kind: 'done', results };
  } catch (error) {
    if (keepsConnection(error)) await client.query('rollback').catch(() => undefined);
    return classify(error);
  }
};
