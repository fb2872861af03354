import { sql, type CreateTableBuilder, type Kysely } from 'kysely';

type Kind = 'sqlite' | 'postgres';
type Column = 'id' | 'integer' | 'text' | 'real';
interface Target {
  readonly db: Kysely<unknown>;
  readonly kind: Kind;
}

/** Text compares by bytes on both databases, so that order, equality and prefix ranges agree. */
const columnTypes = {
  sqlite: { integer: sql`integer`, text: sql`text`, real: sql`real` },
  postgres: { integer: sql`bigint`, text: sql`text collate "C"`, real: sql`double precision` },
} as const;

interface TableOptions {
  readonly key?: readonly string[];
  readonly checks?: readonly string[];
  /** Rows that come and go use ids again unless this is set (SQLite); PostgreSQL never uses one again. */
  readonly keepsIds?: boolean;
}

/** Every column is NOT NULL: an absent fact is 0 or '', as on the wire. */
const createTable = async (
  { db, kind }: Target,
  name: string,
  columns: Record<string, Column>,
  options: TableOptions = {},
) => {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    if (type !== 'id') {
      table = table.addColumn(column, columnTypes[kind][type], (definition) => definition.notNull());
    } else if (kind === 'sqlite') {
      const key = options.keepsIds === true ? sql`integer primary key autoincrement` : sql`integer primary key`;
      table = table.addColumn(column, key, (definition) => definition.notNull());
    } else {
      table = table.addColumn(column, 'bigint', (definition) =>
        definition.notNull().generatedByDefaultAsIdentity().primaryKey(),
      );
    }
  }
  if (options.key !== undefined) table = table.addPrimaryKeyConstraint(`${name}_key`, [...options.key]);
  for (const [index, check] of (options.checks ?? []).entries()) {
    table = table.addCheckConstraint(`${name}_check_${index + 1}`, sql.raw(check));
  }
  if (kind === 'sqlite') table = table.modifyEnd(options.key === undefined ? sql`strict` : sql`strict, without rowid`);
  await table.execute();
};

interface IndexOptions {
  readonly unique?: true;
  readonly where?: string;
}

/** On SQLite every index already ends with the row's id; PostgreSQL needs it named to read newest first. */
const createIndex = async (
  { db, kind }: Target,
  table: string,
  columns: readonly string[],
  options: IndexOptions = {},
) => {
  const kept = kind === 'sqlite' ? columns.filter((column) => column !== 'id') : columns;
  const name = sql.ref(`${table}_${columns.join('_')}_index`);
  const unique = options.unique === true ? sql`unique index` : sql`index`;
  const where = options.where === undefined ? sql`` : sql` where ${sql.raw(options.where)}`;
  await sql`create ${unique} ${name} on ${sql.table(table)} (${sql.join(kept.map((column) => sql.ref(column)))})${where}`.execute(
    db,
  );
};

const balances = { available: 'integer', held: 'integer', used: 'integer' } as const;
const balanceChecks = ['available >= 0 and held >= 0 and used >= 0'];

const createAccounts = async (target: Target) => {
  await createTable(
    target,
    'users',
    {
      id: 'id',
      username: 'text',
      display_name: 'text',
      password_hash: 'text',
      must_change_password: 'integer',
      role: 'integer',
      status: 'integer',
      email: 'text',
      github_id: 'text',
      github_uid: 'text',
      wechat_id: 'text',
      lark_id: 'text',
      oidc_id: 'text',
      group: 'text',
      ...balances,
      request_count: 'integer',
      aff_code: 'text',
      inviter_id: 'integer',
      access_token_digest: 'text',
      created_time: 'integer',
    },
    { checks: balanceChecks, keepsIds: true },
  );
  await createIndex(target, 'users', ['username'], { unique: true });
  await createIndex(target, 'users', ['email'], { where: "email <> ''" });
  await createIndex(target, 'users', ['aff_code'], { unique: true, where: "aff_code <> ''" });
  await createIndex(target, 'users', ['access_token_digest'], { unique: true, where: "access_token_digest <> ''" });
  for (const identity of ['github_uid', 'wechat_id', 'lark_id', 'oidc_id']) {
    await createIndex(target, 'users', [identity], { unique: true, where: `${identity} <> '' and status <> 3` });
  }
  await createTable(
    target,
    'tokens',
    {
      id: 'id',
      user_id: 'integer',
      key_digest: 'text',
      key_sealed: 'text',
      status: 'integer',
      name: 'text',
      created_time: 'integer',
      accessed_time: 'integer',
      expired_time: 'integer',
      unlimited_quota: 'integer',
      ...balances,
      models: 'text',
      subnet: 'text',
      deleted_time: 'integer',
    },
    { checks: balanceChecks, keepsIds: true },
  );
  await createIndex(target, 'tokens', ['key_digest'], { unique: true });
  await createIndex(target, 'tokens', ['user_id', 'id']);
};

const createChannels = async (target: Target) => {
  await createTable(
    target,
    'channels',
    {
      id: 'id',
      type: 'integer',
      key_sealed: 'text',
      key_digest: 'text',
      key_tail: 'text',
      status: 'integer',
      status_reason: 'text',
      name: 'text',
      weight: 'integer',
      priority: 'integer',
      created_time: 'integer',
      test_time: 'integer',
      response_time: 'integer',
      base_url: 'text',
      other: 'text',
      balance: 'real',
      balance_updated_time: 'integer',
      models: 'text',
      group: 'text',
      used: 'integer',
      model_mapping: 'text',
      config: 'text',
      system_prompt: 'text',
      deleted_time: 'integer',
    },
    { checks: ['used >= 0'], keepsIds: true },
  );
  await createTable(
    target,
    'abilities',
    {
      group: 'text',
      model: 'text',
      channel_id: 'integer',
      enabled: 'integer',
      priority: 'integer',
      weight: 'integer',
    },
    { key: ['group', 'model', 'channel_id'] },
  );
  await createIndex(target, 'abilities', ['channel_id']);
};

/**
 * The ledger grows with every request, so it has one index for all rows, the operation key (request ids begin with
 * the time: its insertions stay near the end). The others hold only the few rows that are not uses.
 */
const createMoney = async (target: Target) => {
  await createTable(
    target,
    'ledger',
    {
      id: 'id',
      op_key: 'text',
      kind: 'text',
      user_id: 'integer',
      token_id: 'integer',
      channel_id: 'integer',
      amount: 'integer',
      unrecovered: 'integer',
      request_id: 'text',
      price_version: 'integer',
      estimated: 'integer',
      actor_id: 'integer',
      reason: 'text',
      created_at: 'integer',
    },
    { checks: ["kind <> 'use' or amount >= 0", 'unrecovered >= 0'] },
  );
  await createIndex(target, 'ledger', ['op_key'], { unique: true });
  await createIndex(target, 'ledger', ['user_id', 'id'], { where: "kind <> 'use'" });
  await createIndex(target, 'ledger', ['token_id', 'id'], { where: "kind = 'allocate'" });
  await createTable(
    target,
    'holds',
    {
      request_id: 'text',
      user_id: 'integer',
      token_id: 'integer',
      channel_id: 'integer',
      amount: 'integer',
      token_limited: 'integer',
      price_version: 'integer',
      model_name: 'text',
      node: 'text',
      epoch: 'integer',
      opened_at: 'integer',
      progress: 'integer',
    },
    { key: ['request_id'], checks: ['amount >= 0', 'progress >= 0'] },
  );
  await createTable(
    target,
    'redemptions',
    {
      id: 'id',
      user_id: 'integer',
      key_digest: 'text',
      key_sealed: 'text',
      status: 'integer',
      name: 'text',
      quota: 'integer',
      created_time: 'integer',
      redeemed_time: 'integer',
      redeemed_user_id: 'integer',
      deleted_time: 'integer',
    },
    { keepsIds: true },
  );
  await createIndex(target, 'redemptions', ['key_digest'], { unique: true });
};

/** Each filter of the log page reads newest first from an index of its own; `created_at` turns a range of time into one of ids. */
const createLogs = async (target: Target) => {
  await createTable(target, 'logs', {
    id: 'id',
    user_id: 'integer',
    created_at: 'integer',
    type: 'integer',
    content: 'text',
    username: 'text',
    token_id: 'integer',
    token_name: 'text',
    model_name: 'text',
    quota: 'integer',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
    channel_id: 'integer',
    request_id: 'text',
    elapsed_time: 'integer',
    is_stream: 'integer',
    system_prompt_reset: 'integer',
    detail: 'text',
  });
  for (const column of ['user_id', 'model_name', 'token_name', 'channel_id', 'created_at']) {
    await createIndex(target, 'logs', [column, 'id']);
  }
  await createTable(
    target,
    'log_hours',
    {
      hour: 'integer',
      user_id: 'integer',
      token_name: 'text',
      model_name: 'text',
      channel_id: 'integer',
      requests: 'integer',
      quota: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
    },
    { key: ['hour', 'user_id', 'token_name', 'model_name', 'channel_id'] },
  );
  await createIndex(target, 'log_hours', ['user_id', 'hour']);
};

const createPlane = async (target: Target) => {
  await createTable(target, 'options', { key: 'text', value: 'text', version: 'integer' }, { key: ['key'] });
  await createTable(
    target,
    'sessions',
    {
      digest: 'text',
      user_id: 'integer',
      created_at: 'integer',
      seen_at: 'integer',
      expires_at: 'integer',
      data: 'text',
    },
    { key: ['digest'] },
  );
  await createIndex(target, 'sessions', ['user_id']);
  await createIndex(target, 'sessions', ['expires_at']);
  await createTable(
    target,
    'codes',
    {
      purpose: 'text',
      subject: 'text',
      digest: 'text',
      tries: 'integer',
      created_at: 'integer',
      expires_at: 'integer',
    },
    { key: ['purpose', 'subject'] },
  );
  await createTable(
    target,
    'idempotency',
    {
      key: 'text',
      user_id: 'integer',
      request_digest: 'text',
      status: 'integer',
      body: 'text',
      created_at: 'integer',
    },
    { key: ['user_id', 'key'] },
  );
  await createIndex(target, 'idempotency', ['created_at']);
  await createTable(
    target,
    'audit',
    {
      id: 'id',
      created_at: 'integer',
      actor_id: 'integer',
      actor_name: 'text',
      action: 'text',
      subject: 'text',
      detail: 'text',
      address: 'text',
      request_id: 'text',
      previous_hash: 'text',
      hash: 'text',
    },
    { keepsIds: true },
  );
};

/** Ledger and audit only grow: the database itself refuses to change or remove their rows. */
const refuseChanges = async ({ db, kind }: Target) => {
  if (kind === 'postgres') {
    await sql`create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  }
  for (const table of ['ledger', 'audit']) {
    if (kind === 'postgres') {
      await sql`create trigger append_only before update or delete or truncate on ${sql.table(table)}
        for each statement execute function refuse_change()`.execute(db);
      continue;
    }
    for (const change of ['update', 'delete']) {
      const text = `create trigger ${table}_no_${change} before ${change} on ${table} begin select raise(abort, '${table} is append-only'); end`;
      await sql.raw(text).execute(db);
    }
  }
};

export const up = async (db: Kysely<unknown>, kind: Kind): Promise<void> => {
  const target = { db, kind };
  await createTable(target, 'instance', { key: 'text', value: 'text' }, { key: ['key'] });
  await createAccounts(target);
  await createChannels(target);
  await createMoney(target);
  await createLogs(target);
  await createPlane(target);
  await refuseChanges(target);
};
