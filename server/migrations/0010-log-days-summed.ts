import { sql, type Kysely } from 'kysely';

/**
 * Each day by itself is summed or not, so that a row that comes late has only its own day summed again. `log_days_from`
 * was the first summed day and `log_days_next` the next hour to sum. One late row had moved the first day forward for
 * good: all days since the oldest of the log are summed again where they are not.
 */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const integer = kind === 'sqlite' ? sql`integer` : sql`bigint`;
  const table = db.schema
    .createTable('log_days_summed')
    .addColumn('day', integer, (column) => column.primaryKey())
    .addColumn('hours', integer, (column) => column.notNull());
  await (kind === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
  const instance = (key: string) => sql`(select cast(value as ${integer}) from instance where key = ${sql.lit(key)})`;
  const [from, next] = [instance('log_days_from'), instance('log_days_next')];
  // The oldest day may have lost part of its rows, and is read by the hour.
  await sql`
    insert into log_days_summed (day, hours)
    with recursive days (day) as (
      select min(hour) / 24 + 1 from log_hours having min(hour) / 24 + 1 <= ${next} / 24
      union all select day + 1 from days where day < ${next} / 24
    )
    select day, case when day < ${from} then 0 when day < ${next} / 24 then 24 else ${next} % 24 end from days`.execute(
    db,
  );
  await sql`delete from instance where key in ('log_days_from', 'log_days_next')`.execute(db);
};
