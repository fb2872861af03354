import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type Transaction, type TransactionBuilder } from 'kysely';
import { DatabaseError } from 'pg';
import type { Schema } from '../../schema.ts';

/** Deadlock and serialization failure: nothing of the transaction stayed (PostgreSQL, appendix A). */
const undone = new Set(['40P01', '40001']);
const attemptsMax = 5;
/** Two transactions that met in a deadlock try again at different times. */
const pauseMaxMs = 50;

const isUndone = (error: unknown): boolean => error instanceof DatabaseError && undone.has(error.code ?? '');

const retry = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isUndone(error) || attempt === attemptsMax) throw error;
      await sleep(pauseMaxMs * Math.random());
    }
  }
};

/**
 * Runs a transaction once more where the server undid it to resolve a deadlock. So what is run inside a transaction may
 * have effects in the database alone.
 */
export class RetryingKysely extends Kysely<Schema> {
  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder);
    const execute = <Result>(run: (trx: Transaction<Schema>) => Promise<Result>) => retry(() => once(run));
    return Object.assign(builder, { execute });
  }
}
