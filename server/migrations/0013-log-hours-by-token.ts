import { sql, type CreateTableBuilder, type Kysely } from 'kysely';

const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"` },
} as const;

const key = ['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'token_id'] as const;
const sums = ['requests', 'quota', 'prompt_tokens', 'completion_tokens'] as const;
const textColumns: ReadonlySet<string> = new Set(['token_name', 'model_name']);
const indexed = ['user_id', 'model_name', 'token_name', 'channel_id', 'token_id'];

/**
 * Hourly sums tell tokens of one name apart. The rows of the log have the token; what the earlier sums have beyond those
 * rows belongs to token 0.
 */
export const up = async (db: Kysely<unknown>, kind: keyof typeof columnTypes): Promise<void> => {
  // A renamed table would leave SQLite's temporary storage in use, which is moved after the migrations.
  await sql`create table log_hours_before as select * from log_hours`.execute(db);
  await sql`drop table log_hours`.execute(db);
  let table: CreateTableBuilder<string, string> = db.schema.createTable('log_hours');
  for (const column of [...key, ...sums]) {
    const type = columnTypes[kind][textColumns.has(column) ? 'text' : 'integer'];
    table = table.addColumn(column, type, (definition) =>
      column === 'token_id' ? definition.notNull().defaultTo(0) : definition.notNull(),
    );
  }
  table = table.addPrimaryKeyConstraint('log_hours_key', [...key]);
  if (kind === 'sqlite') table = table.modifyEnd(sql`strict, without rowid`);
  await table.execute();
  const names = sql.join([...key, ...sums].map((column) => sql.ref(column)));
  await sql`insert into log_hours (${names})
    select created_at / 3600, user_id, token_name, model_name, channel_id, token_id, count(*), sum(quota),
      sum(prompt_tokens), sum(completion_tokens)
    from logs where type = 2 group by 1, 2, 3, 4, 5, 6`.execute(db);
  await sql`insert into log_hours (${names})
    select hour, user_id, token_name, model_name, channel_id, 0, sum(requests), sum(quota), sum(prompt_tokens),
      sum(completion_tokens)
    from (select hour, user_id, token_name, model_name, channel_id, requests, quota, prompt_tokens, completion_tokens
        from log_hours_before
      union all
      select hour, user_id, token_name, model_name, channel_id, -requests, -quota, -prompt_tokens, -completion_tokens
        from log_hours) as rest
    where true group by 1, 2, 3, 4, 5 having sum(requests) > 0
    on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set
      ${sql.join(sums.map((column) => sql`${sql.ref(column)} = ${sql.ref(`log_hours.${column}`)} + ${sql.ref(`excluded.${column}`)}`))}`.execute(
    db,
  );
  await sql`drop table log_hours_before`.execute(db);
  for (const column of indexed) {
    await db.schema.createIndex(`log_hours_${column}_hour_index`).on('log_hours').columns([column, 'hour']).execute();
  }
};
