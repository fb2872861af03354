import { CompiledQuery, PostgresAdapter, type Transaction } from 'kysely';
import { postToPostgres, type PostgresRunner } from '../engine/postgres/postgres-accounts.ts';
import { postgresStatement } from '../engine/postgres/postgres-statements.ts';
import type { Schema } from '../schema.ts';
import { postingFault } from './posting-fault.ts';
import type { AdministrativePosting, PostingResult } from './postings.ts';
import { PostingsQuery } from './postings-query.ts';

/** Kysely's connection runs one statement at a time: each waits for the one before. */
const runnerIn = (trx: Transaction<Schema>): PostgresRunner => {
  let last: Promise<unknown> = Promise.resolve();
  const run = <Row extends object>(text: string, parameters: readonly unknown[]) => {
    const next = last.then(() => trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters])));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    rows: async <Row extends object>(statement: Parameters<PostgresRunner['rows']>[0], parameter: unknown) =>
      (await run<Row>(postgresStatement(statement), [parameter])).rows,
    write: async (statement, parameter) =>
      Number((await run(postgresStatement(statement), [parameter])).numAffectedRows ?? 0),
    control: async (text) => void (await run(text, [])),
  };
};

/**
 * Moves money inside an interactive transaction: durable, or undone, together with the rest of it. Answers in the order
 * of the postings; a refused one does not undo the transaction by itself. It locks accounts, then tokens: a transaction
 * that changes a token itself does so afterwards.
 */
export const applyPostings = async (
  trx: Transaction<Schema>,
  postings: readonly AdministrativePosting[],
): Promise<readonly PostingResult[]> => {
  for (const posting of postings) {
    const fault = postingFault(posting);
    if (fault !== undefined) throw fault;
  }
  if (trx.getExecutor().adapter instanceof PostgresAdapter) {
    return postToPostgres(runnerIn(trx), postings, { node: '', epoch: 0 });
  }
  return (await trx.executeQuery<PostingResult>(new PostingsQuery(postings))).rows;
};
