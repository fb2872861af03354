import type { Kysely, Transaction } from 'kysely';
import type { NodeIdentity } from './ledger/accounts-state.ts';
import type { Posting, PostingResult } from './ledger/postings.ts';
import type { Schema } from './schema.ts';

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** This process among those that ever used the database. */
  readonly identity: NodeIdentity;
  /** Reads: in reader threads of SQLite or in the pool of PostgreSQL. A write does not compile. */
  readonly read: Reader;
  /** Runs reads that all see one point in time. */
  snapshot<Result>(run: (read: ReadQueries) => Promise<Result>): Promise<Result>;
  /**
   * Writes. A single one joins the writer's next group commit; `transaction()` gets the writer to itself, so nothing
   * outside the transaction may be awaited inside it but reads. PostgreSQL may run one again that a deadlock undid, so
   * its effects are in the database alone. A select on the writer does not compile but inside a transaction.
   */
  readonly write: Writer;
  /** Moves money. Joins the next group commit; resolves once durable. */
  post(posting: Posting): Promise<PostingResult>;
  /**
   * The listener is called when the connection that moves money was lost and is open again: whatever `post` had answered
   * before may be outdated.
   */
  onReconnect(listener: () => void): void;
  /** Asks the database, in about a second at most on PostgreSQL, for the migrations of this version that it lacks. */
  missingMigrations(): Promise<readonly string[]>;
  /** What waits now. */
  load(): DatabaseLoad;
  close(): Promise<void>;
}

export interface DatabaseLoad {
  /** Writes that wait for their commit. */
  readonly writes: number;
  /** Of the pool of PostgreSQL: connections, those without a query, and queries that wait for one. */
  readonly connections: number;
  readonly idle: number;
  readonly queries: number;
}

type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'withPlugin'>;

type Writer = Pick<
  Kysely<Schema>,
  | 'insertInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'transaction'
  | 'startTransaction'
  | 'getExecutor'
  | 'executeQuery'
  | 'withPlugin'
>;

/** Selects alone: `read` of a database, or a transaction. */
export type ReadQueries = Pick<Kysely<Schema>, 'selectFrom'>;

/** For functions that only write: `write` of a database, or a transaction. */
export type WriteQueries = Pick<Kysely<Schema>, 'insertInto' | 'updateTable' | 'deleteFrom'>;

/** A transaction: all of its changes are made, or none. */
export type DatabaseTransaction = Transaction<Schema>;

export interface DatabaseOptions {
  readonly dataDir: string;
  /** A PostgreSQL URL; absent: SQLite in the data directory. */
  readonly databaseUrl?: string | undefined;
  /** Names this process among several on one PostgreSQL; two may not share a name. */
  readonly nodeName?: string | undefined;
  /** Fingerprint of the secret key; another one than at the first start refuses this one. */
  readonly secretFingerprint?: string | undefined;
  /** Of the key before, while the secret key is changed. */
  readonly previousFingerprint?: string | undefined;
  /** Opens a database whose import is not finished, too: for the import itself. */
  readonly importing?: boolean;
  /** Called as each migration starts, and when all of them wait for a table that others use. */
  readonly onMigration?: ((name: string) => void) | undefined;
  /** Called once when nothing can be written any more: the process should end and start anew. */
  readonly onFatal?: ((error: Error) => void) | undefined;
}
