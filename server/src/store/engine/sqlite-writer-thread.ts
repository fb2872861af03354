import { parentPort, workerData } from 'node:worker_threads';
import type { Posting, PostingResult } from '../postings.ts';
import type { NodeIdentity } from './accounts-state.ts';
import { isBroken, toPlainError, type PlainError } from './database-error.ts';
import { decodePostings, encodeResults, type Flat } from './posting-codec.ts';
import { createSqliteAccounts, type SqliteAccounts } from './sqlite-accounts.ts';
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';
import type { SqliteTexts } from './sqlite-statements.ts';
import type { Statement, StatementResult } from './statement.ts';
import type { Reply } from './thread.ts';

/** What the writer thread is asked. */
export type WriterMessage =
  | { readonly kind: 'batch'; readonly statements: readonly Statement[]; readonly postings: Flat }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'run'; readonly statement: Statement }
  | { readonly kind: 'post'; readonly postings: Flat }
  | { readonly kind: 'identify'; readonly identity: NodeIdentity; readonly texts: SqliteTexts };

export interface PostingReplies {
  /** Encoded results in the order of the postings; a failed one counts as refused here. */
  readonly results: readonly number[];
  readonly errors: readonly { readonly index: number; readonly error: PlainError }[];
}

/** `units` and `postings` answer a batch, `result` a single statement. */
export interface WriterAnswer {
  readonly units?: readonly Reply<StatementResult>[];
  readonly postings?: PostingReplies;
  readonly result?: StatementResult;
}

let opened: SqliteConnection | undefined;
/** Opened with the first message, so that a file that cannot be opened is an answer. */
const connection = () => (opened ??= openSqliteConnection(String(workerData), 'write'));
const execute = (sql: string) => connection().prepare(sql).run();
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

/** All postings at once; where that fails, one by one, so that only the faulty ones fail. */
const runPostings = (postings: readonly Posting[]): PostingReplies => {
  if (postings.length === 0) return { results: encodeResults([]), errors: [] };
  const together = runUnit(() => accounts().post(postings, identity));
  if (together.value !== undefined) return { results: encodeResults(together.value), errors: [] };
  const results: PostingResult[] = [];
  const errors: { readonly index: number; readonly error: PlainError }[] = [];
  for (const [index, posting] of postings.entries()) {
    const { value, error } = runUnit(() => accounts().post([posting], identity));
    results.push(value?.[0] ?? { outcome: 'refused', charged: 0, unrecovered: 0 });
    if (error !== undefined) errors.push({ index, error });
  }
  return { results: encodeResults(results), errors };
};

const commit = () => {
  try {
    execute('commit');
  } catch (error) {
    rollBack();
    throw error;
  }
};

const runBatch = (statements: readonly Statement[], flat: Flat): WriterAnswer => {
  execute('begin immediate');
  try {
    const units = statements.map((statement) => runUnit(() => connection().run(statement)));
    const postings = runPostings(decodePostings(flat));
    commit();
    return { units, postings };
  } catch (error) {
    rollBack();
    throw error;
  }
};

const answer = (message: WriterMessage): WriterAnswer => {
  switch (message.kind) {
    case 'batch':
      return runBatch(message.statements, message.postings);
    case 'run':
      return { result: connection().run(message.statement) };
    case 'post': {
      const results = accounts().post(decodePostings(message.postings), identity);
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
