import { DatabaseError, type Client, type QueryResultRow } from 'pg';
import { AppError } from '../../../errors.ts';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { sharedLockWaitMs } from '../posting-queue.ts';
import { mayRepeat, postToPostgres, postUnlocked, uniqueViolation, type PostgresRunner } from './postgres-accounts.ts';
import { batchAtOnce, lookAlone, type BatchAtOnce } from './post-at-once.ts';
import type { RecentAccounts } from './recent-accounts.ts';
import type { PostgresStatement } from './statement-text.ts';

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

/** Statements of a transaction: what is sent before its begin is confirmed fails where that does. */
const runnerIn = (client: Client, begun: Promise<unknown>): PostgresRunner => ({
  run: async <Row extends QueryResultRow>({ name, text }: PostgresStatement, parameters: readonly unknown[]) => {
    const asked = client.query<Row>({ name, text, values: [...parameters] });
    const [{ rows }] = await Promise.all([asked, begun]);
    return rows;
  },
});

interface TransactOptions {
  readonly identity: NodeIdentity;
  readonly lockWaitMs: number;
  readonly lookUp?: boolean;
}

/** One batch in one transaction. */
export const transact = async (
  client: Client,
  postings: readonly Posting[],
  { identity, lockWaitMs, lookUp = false }: TransactOptions,
): Promise<Ended> => {
  const waits =
    lockWaitMs === sharedLockWaitMs ? '' : `; set local lock_timeout = ${Math.max(leastLockWaitMs, lockWaitMs)}`;
  try {
    const begun = client.query(`begin${waits}`);
    const post = lockWaitMs === 0 ? postUnlocked : postToPostgres;
    const posted = post(runnerIn(client, begun), postings, { identity, lookUp });
    // A batch may need no row, and so ask nothing that would fail with the begin.
    const [results] = await Promise.all([posted, begun]);
    await client.query('commit');
    return { kind: 'done', results };
  } catch (error) {
    const again = !lookUp && mayRepeat(error);
    if (again || keepsConnection(error)) await client.query('rollback').catch(() => undefined);
    return again ? transact(client, postings, { identity, lockWaitMs, lookUp: true }) : classify(error, lockWaitMs);
  }
};

const atOnce = async (client: Client, batch: BatchAtOnce, recent: RecentAccounts): Promise<Ended | null> => {
  try {
    const written = await (recent.areShared() ? batch.writeLocked(client) : batch.write(client));
    if (written === null) return null;
    recent.noteWritten(written.uses);
    return { kind: 'done', results: written.results };
  } catch (error) {
    // A hold or an operation is there already: the batch is read.
    const isThere = error instanceof DatabaseError && error.code === uniqueViolation;
    return isThere ? null : classify(error, sharedLockWaitMs);
  }
};

/** Null: one of the postings moves something. */
const look = async (client: Client, postings: readonly Posting[]): Promise<Ended | null> => {
  try {
    const results = await lookAlone(client, postings);
    return results === undefined ? null : { kind: 'done', results };
  } catch (error) {
    return classify(error, sharedLockWaitMs);
  }
};

/**
 * One batch that is tried for the first time: where its accounts have plenty, it is written without being read. Everything
 * else is read, locked and written.
 */
export const transactNew = async (
  client: Client,
  postings: readonly Posting[],
  { identity, recent }: { readonly identity: NodeIdentity; readonly recent: RecentAccounts },
): Promise<Ended> => {
  const looked = await look(client, postings);
  if (looked !== null) return looked;
  const batch = batchAtOnce(postings, identity);
  const isTried = batch !== undefined && !recent.areTight(batch.required.users.keys());
  const ended = isTried ? await atOnce(client, batch, recent) : null;
  if (ended !== null) return ended;
  const read = await transact(client, postings, { identity, lockWaitMs: sharedLockWaitMs });
  if (read.kind === 'done') recent.noteRead(postings, read.results, isTried ? batch.required : undefined);
  return read;
};
