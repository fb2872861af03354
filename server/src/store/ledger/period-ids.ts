import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';

/** `named.value`: the periods of budgets that each of `rows` names (`period-names.ts`). */
export const periodIdsOf = (kind: Database['kind']): RawBuilder<unknown> => {
  const ids = sql`replace(rows.budgets, '~', '')`;
  return kind === 'sqlite'
    ? sql`json_each('[' || ${ids} || ']') as named`
    : sql`unnest(string_to_array(${ids}, ',')::bigint[]) as named(value)`;
};
