import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { ReaderSession, SqliteReaders } from './sqlite-readers.ts';
import { PostingsQuery } from '../../ledger/postings-query.ts';
import type { WriterSession } from './sqlite-session.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { StatementResult } from './statement.ts';

interface Threads {
  readonly writer: SqliteWriter;
  readonly readers: SqliteReaders;
}

/** Schema changes are part of a transaction in SQLite: a migration is whole or absent. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The boundary between SQL and its types: Kysely's query says what the rows are. */
const typed = <Row>(rows: readonly unknown[]): Row[] =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the boundary named above
  rows as Row[];

const toObject = (columns: readonly string[], values: readonly unknown[]): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    row[column] = values[index];
  });
  return row;
};

const toResult = <Row>({ columns, rows, changes, insertId }: StatementResult): QueryResult<Row> => ({
  rows: typed(rows.map((values) => toObject(columns, values))),
  ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
  ...(insertId === undefined ? {} : { insertId: BigInt(insertId) }),
});

/** The target of statements outside a transaction: a reader, or the writer's next group commit. */
type Access = 'read' | 'write';

/** Inside a transaction every statement goes to the thread that began it. */
class Connection implements DatabaseConnection {
  readonly #threads: Threads;
  readonly #access: Access;
  #session: WriterSession | undefined;
  #snapshot: ReaderSession | undefined;

  constructor(threads: Threads, access: Access) {
    this.#threads = threads;
    this.#access = access;
  }

  async begin(access: 'read only' | 'read write'): Promise<void> {
    if (access === 'read only') this.#snapshot = await this.#threads.readers.begin();
    else this.#session = await this.#threads.writer.begin();
  }

  async end(outcome: 'commit' | 'rollback'): Promise<void> {
    const session = this.#session;
    const snapshot = this.#snapshot;
    this.#session = undefined;
    this.#snapshot = undefined;
    await session?.end(outcome);
    await snapshot?.end();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query instanceof PostingsQuery) {
      if (this.#session === undefined) throw new Error('Postings outside a transaction go through post()');
      return { rows: typed(await this.#session.post(query.postings)) };
    }
    const statement = { sql: query.sql, parameters: query.parameters };
    if (this.#session !== undefined) return toResult(await this.#session.run(statement));
    if (this.#snapshot !== undefined) return toResult(await this.#snapshot.run(statement));
    const { readers, writer } = this.#threads;
    return toResult(await (this.#access === 'read' ? readers.run(statement) : writer.run(statement)));
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; this one only throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Page through long results by key instead of streaming them');
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

class ThreadDriver implements Driver {
  readonly #threads: Threads;
  readonly #access: Access;

  constructor(threads: Threads, access: Access) {
    this.#threads = threads;
    this.#access = access;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#threads, this.#access);
  }
  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== undefined) throw new Error('Transactions of SQLite are always serializable');
    await connection.begin(settings.accessMode ?? 'read write');
  }
  async commitTransaction(connection: Connection): Promise<void> {
    await connection.end('commit');
  }
  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.end('rollback');
  }
  async savepoint(connection: Connection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint ${quote(name)}`));
  }
  async rollbackToSavepoint(connection: Connection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to ${quote(name)}`));
  }
  async releaseSavepoint(connection: Connection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release ${quote(name)}`));
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export const createSqliteDialect = (threads: Threads, access: Access): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new ThreadDriver(threads, access),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
