import { CompiledQuery, PostgresAdapter, type Transaction } from 'kysely';
import { postToPostgres, type PostgresRunner } from '../engine/postgres/postgres-accounts.ts';
import type { PostgresStatement } from '../engine/postgres/statement-text.ts';
import type { Schema } from '../schema.ts';
import { postingFault } from './posting-fault.ts';
import type { AdministrativePosting, PostingResult } from './postings.ts';
import { PostingsQuery } from './postings-query.ts';

/** Kysely's connection runs one statement at a time: each waits for the one before. */
const runnerIn = (trx: Transaction<Schema>): PostgresRunner => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: async <Row extends object>({ text }: PostgresStatement, parameters: readonly unknown[]) => {
      const next = last.then(() => trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters])));
      last = next.catch(() => undefined);
      return (await next).rows;
    },
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
    return postToPostgres(runnerIn(trx), postings, { identity: { node: '', epoch: 0 }, lookUp: true });
  }
  return (await trx.executeQuery<PostingResult>(new PostingsQuery(postings))).rows;
};
