import { parentPort, workerData } from 'node:worker_threads';
import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { isBroken, isFull, toPlainError } from '../database-error.ts';
import { postAlone, type PostingReplies } from './post-alone.ts';
import { decodePostings, encodeResults, type Flat } from '../../ledger/posting-codec.ts';
import { createSqliteAccounts, type SqliteAccounts } from './sqlite-accounts.ts';
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';
import type { SqliteTexts } from './sqlite-statements.ts';
import type { Statement, StatementResult } from './statement.ts';
import type { Reply } from './thread.ts';

/** A request to the writer thread. */
export type WriterMessage =
  | { readonly kind: 'batch'; readonly statements: readonly Statement[]; readonly postings: Flat }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'run'; readonly statement: Statement }
  | { readonly kind: 'post'; readonly postings: Flat }
  | { readonly kind: 'identify'; readonly identity: NodeIdentity; readonly texts: SqliteTexts };

/** `units` and `postings` answer a batch, `result` a single statement. */
export interface WriterAnswer {
  readonly units?: readonly Reply<StatementResult>[];
  readonly postings?: PostingReplies;
  readonly result?: StatementResult;
}

let opened: SqliteConnection | undefined;
/** Opened with the first message, so that a file that cannot be opened is an answer. */
const connection = () => (opened ??= openSqliteConnection(String(workerData), 'write'));
const execute = (sql: string) => connection().run({ sql, parameters: [] });
let identity: NodeIdentity = { node: '', epoch: 0 };
let prepared: SqliteAccounts | undefined;
const accounts = (): SqliteAccounts => {
  if (prepared === undefined) throw new Error('Postings came before the migrations had run');
  return prepared;
};

const rollBack = () => {
  if (connection().database.isTransaction) execute('rollback');
};

/** Runs one unit of a batch: what it did is undone when it fails, and the other units stay. */
const runUnit = <Value>(unit: () => Value): Reply<Value> => {
  execute('savepoint unit');
  try {
    const value = unit();
    execute('release unit');
    return { value };
  } catch (error) {
    const plain = toPlainError(error);
    if (isBroken(plain) || !connection().database.isTransaction) throw error;
    execute('rollback to unit');
    execute('release unit');
    return { error: plain };
  }
};

/** Postings inside an open transaction that others share: at once, or undone and once more with every key looked up. */
const postCarefully = (postings: readonly Posting[]): readonly PostingResult[] => {
  execute('savepoint postings');
  const optimistic = accounts().post(postings, identity, 'optimistic');
  if (optimistic === undefined) execute('rollback to postings');
  const results = optimistic ?? accounts().post(postings, identity, 'verified');
  if (results === undefined) throw new Error('The ledger changed under the writer');
  execute('release postings');
  return results;
};

/** All at once where that works, else one by one, so that only the faulty ones fail. */
const postWithin = (postings: readonly Posting[]): PostingReplies => {
  const together = runUnit(() => postCarefully(postings));
  if (together.value !== undefined) return { results: encodeResults(together.value), errors: [] };
  return postAlone(postings, (posting) => runUnit(() => postCarefully([posting])[0]));
};

/** The usual way, without a savepoint (which would copy every page that changes); undefined where one is at fault. */
const postTogether = (postings: readonly Posting[]): PostingReplies | undefined => {
  try {
    const results = postings.length === 0 ? [] : accounts().post(postings, identity, 'optimistic');
    return results && { results: encodeResults(results), errors: [] };
  } catch (error) {
    if (isBroken(toPlainError(error)) || isFull(toPlainError(error))) throw error;
    return undefined;
  }
};

const commit = () => {
  try {
    execute('commit');
  } catch (error) {
    rollBack();
    throw error;
  }
};

const runBatch = (statements: readonly Statement[], postings: readonly Posting[]): WriterAnswer => {
  const runStatements = () => statements.map((statement) => runUnit(() => connection().run(statement)));
  execute('begin immediate');
  try {
    let units = runStatements();
    let replies = postTogether(postings);
    if (replies === undefined) {
      rollBack();
      execute('begin immediate');
      units = runStatements();
      replies = postWithin(postings);
    }
    commit();
    return { units, postings: replies };
  } catch (error) {
    rollBack();
    throw error;
  }
};

const answer = (message: WriterMessage): WriterAnswer => {
  switch (message.kind) {
    case 'batch':
      return runBatch(message.statements, decodePostings(message.postings));
    case 'run':
      return { result: connection().run(message.statement) };
    case 'post': {
      const results = postCarefully(decodePostings(message.postings));
      return { postings: { results: encodeResults(results), errors: [] } };
    }
    case 'begin':
      execute('begin immediate');
      return {};
    case 'commit':
      commit();
      return {};
    case 'rollback':
      rollBack();
      return {};
    case 'identify':
      identity = message.identity;
      prepared = createSqliteAccounts(connection(), message.texts);
      return {};
  }
};

parentPort?.on('message', (message: WriterMessage | 'close') => {
  if (message === 'close') {
    if (opened !== undefined) rollBack();
    opened?.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ value: answer(message) });
  } catch (error) {
    parentPort?.postMessage({ error: toPlainError(error) });
  }
});
