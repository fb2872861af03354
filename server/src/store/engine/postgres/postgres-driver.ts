import { type DatabaseConnection, PostgresDriver } from 'kysely';
import { DatabaseError } from 'pg';
import { AppError } from '../../../errors.ts';
import { serverGone } from './postgres-transact.ts';

/** Messages of the client when its connection ended; failures of the socket have the name of a system call. */
const endedConnection = /^(Connection terminated|Client (was closed|has encountered a connection error))/;

const isLost = (error: unknown): boolean => {
  if (error instanceof DatabaseError) return serverGone(error.code);
  return error instanceof Error && ('syscall' in error || endedConnection.test(error.message));
};

/** Guards connections: one that breaks during a statement is a public failure, like one that cannot be opened. */
export class GuardedPostgresDriver extends PostgresDriver {
  private readonly guarded = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.guarded.has(connection)) return connection;
    this.guarded.add(connection);
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
    connection.executeQuery = (query) =>
      execute<never>(query).catch((error: unknown) => {
        throw isLost(error) ? new AppError('unavailable', {}, error) : error;
      });
    return connection;
  }
}
