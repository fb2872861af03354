import { type Selectable, sql } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { isConnected } from './absent-processes.ts';
import type { NodesTable } from './node-table.ts';
import { tasksByOwner } from './own-task.ts';

export type NodeReport = Readonly<Selectable<NodesTable>>;

/** Replaces what the node said before. */
export const writeNodeReport = async ({ write }: Pick<Database, 'write'>, report: NodeReport): Promise<void> => {
  await write
    .insertInto('nodes')
    .values(report)
    .onConflict((on) => on.column('name').doUpdateSet(report))
    .execute();
};

/** Removes nodes that said nothing since a moment (unix seconds). */
export const deleteOldNodes = async ({ write }: Pick<Database, 'write'>, before: number): Promise<void> => {
  await write.deleteFrom('nodes').where('seen_at', '<', before).execute();
};

export interface StoredNode extends NodeReport {
  /** A process of the node has a connection that moves money. */
  readonly connected: boolean;
  /** Stored holds of the process. */
  readonly holds: number;
  /** The names of the work that the process does for all nodes. */
  readonly work: readonly string[];
}

/** What other nodes of a PostgreSQL said. A SQLite file belongs to one process. */
const saidByOthers = ({ kind, read }: Pick<Database, 'kind' | 'read'>, own: string) =>
  kind === 'sqlite'
    ? []
    : read
        .selectFrom('nodes')
        .selectAll()
        .select(isConnected(sql.ref('nodes.name')).as('connected'))
        .where('name', '<>', own)
        .execute();

const ownerOf = (epoch: number, node: string): string => `${epoch} ${node}`;

const holdsByOwner = async (read: ReadQueries): Promise<ReadonlyMap<string, number>> => {
  const rows = await read
    .selectFrom('holds')
    .select((on) => ['node', 'epoch', on.fn.countAll<number>().as('count')])
    .groupBy(['node', 'epoch'])
    .execute();
  return new Map(rows.map(({ node, epoch, count }) => [ownerOf(epoch, node), count]));
};

/** Every node by name: what this one says now, and what the others last said. */
export const listNodeReports = async (
  db: Pick<Database, 'kind' | 'read'>,
  own: NodeReport,
): Promise<readonly StoredNode[]> => {
  const reports = [{ ...own, connected: true }, ...(await saidByOthers(db, own.name))];
  const holds = await holdsByOwner(db.read);
  const tasks = await tasksByOwner(db);
  return reports
    .map((report) => {
      const owner = ownerOf(report.epoch, report.name);
      return { ...report, holds: holds.get(owner) ?? 0, work: tasks.get(owner) ?? [] };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
};
