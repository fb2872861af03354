import { sql, type CompiledQuery, type KyselyPlugin } from 'kysely';
import type { Database } from '../../src/store/database.ts';

/** A database that records every statement. */
export const recordQueries = (db: Database) => {
  const queries: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      queries.push(db.write.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    db: { ...db, read: db.read.withPlugin(plugin), write: db.write.withPlugin(plugin) },
    take: () => queries.splice(0),
  };
};

/** The planner knows what is in the table; on SQLite it does without. */
export const hasStatistics = async (db: Database, table: string): Promise<boolean> => {
  if (db.kind === 'sqlite') return true;
  const { rows } = await sql`select 1 from pg_stats where tablename = ${table}`.execute(db.write);
  return rows.length > 0;
};

interface PostgresPlan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PostgresPlan[];
}

/** In the manner of SQLite: `SEARCH` goes to some rows of a table by an index, `SCAN` goes through all of them. */
const stepOf = (plan: PostgresPlan): string => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = plan;
  if (table === undefined) return type;
  const goes = condition === undefined && type !== 'Bitmap Heap Scan' ? 'SCAN' : 'SEARCH';
  const by = condition === undefined ? '' : ` ${condition}`;
  return `${goes} ${table}${index === undefined ? '' : ` USING INDEX ${index}${by}`}`;
};

const nodes = (plan: PostgresPlan): string[] => [stepOf(plan), ...(plan.Plans ?? []).flatMap(nodes)];

/** Where a statement is explained: in a transaction it is planned by what that has set. */
type Explaining = Pick<Database, 'kind'> & { readonly write: Pick<Database['write'], 'executeQuery' | 'getExecutor'> };

/** How the database would answer a statement, step by step. */
export const explain = async (db: Explaining, query: CompiledQuery): Promise<string[]> => {
  if (db.kind === 'sqlite') {
    const { rows } = await db.write.executeQuery<{ readonly detail: string }>({
      ...query,
      sql: `explain query plan ${query.sql}`,
      query: sql`select 1`.compile(db.write).query,
    });
    return rows.map((row) => row.detail);
  }
  const { rows } = await db.write.executeQuery<{ readonly 'QUERY PLAN': readonly { readonly Plan: PostgresPlan }[] }>({
    ...query,
    sql: `explain (format json) ${query.sql}`,
  });
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodes(Plan)));
};
