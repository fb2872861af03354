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
  /** Columns that name a row of another table. */
  readonly references?: Readonly<Record<string, string>>;
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
  for (const [column, other] of Object.entries(options.references ?? {})) {
    table = table.addForeignKeyConstraint(`${name}_${column}_reference`, [column], other, ['id']);
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

const named = <Type extends Column>(type: Type, names: readonly string[]): Record<string, Type> =>
  Object.fromEntries(names.map((name) => [name, type]));
const texts = (...names: string[]) => named('text', names);
const integers = (...names: string[]) => named('integer', names);
const balances = integers('available', 'held', 'used');
const balanceChecks = ['available >= 0 and held >= 0 and used >= 0'];

const createAccounts = async (target: Target) => {
  await createTable(
    target,
    'users',
    {
      id: 'id',
      ...texts('username', 'display_name', 'password_hash'),
      ...integers('must_change_password', 'role', 'status'),
      ...texts('email', 'github_id', 'github_uid', 'wechat_id', 'lark_id', 'oidc_id', 'group'),
      ...balances,
      ...integers('request_count'),
      ...texts('aff_code'),
      ...integers('inviter_id'),
      ...texts('access_token_digest'),
      ...integers('created_time'),
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
      ...integers('user_id'),
      ...texts('key_digest', 'key_sealed'),
      ...integers('status'),
      ...texts('name'),
      ...integers('created_time', 'accessed_time', 'expired_time', 'unlimited_quota'),
      ...balances,
      ...texts('models', 'subnet'),
      ...integers('deleted_time'),
    },
    { checks: balanceChecks, references: { user_id: 'users' }, keepsIds: true },
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
      ...integers('type'),
      ...texts('key_sealed', 'key_digest', 'key_tail'),
      ...integers('status'),
      ...texts('status_reason', 'name'),
      ...integers('weight', 'priority', 'created_time', 'test_time', 'response_time'),
      ...texts('base_url', 'other'),
      balance: 'real',
      ...integers('balance_updated_time'),
      ...texts('models', 'group'),
      ...integers('used'),
      ...texts('model_mapping', 'config', 'system_prompt'),
      ...integers('deleted_time'),
    },
    { checks: ['used >= 0'], keepsIds: true },
  );
  await createTable(
    target,
    'abilities',
    { ...texts('group', 'model'), ...integers('channel_id', 'enabled', 'priority', 'weight') },
    { key: ['group', 'model', 'channel_id'], references: { channel_id: 'channels' } },
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
      ...texts('op_key', 'kind'),
      ...integers('user_id', 'token_id', 'channel_id', 'amount', 'unrecovered'),
      ...texts('request_id'),
      ...integers('price_version', 'estimated', 'actor_id'),
      ...texts('reason'),
      ...integers('created_at'),
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
      ...texts('request_id'),
      ...integers('user_id', 'token_id', 'channel_id', 'amount', 'token_limited', 'price_version'),
      ...texts('model_name', 'node'),
      ...integers('epoch', 'opened_at', 'progress'),
    },
    { key: ['request_id'], checks: ['amount >= 0', 'progress >= 0'] },
  );
  await createTable(
    target,
    'redemptions',
    {
      id: 'id',
      ...integers('user_id'),
      ...texts('key_digest', 'key_sealed'),
      ...integers('status'),
      ...texts('name'),
      ...integers('quota', 'created_time', 'redeemed_time', 'redeemed_user_id', 'deleted_time'),
    },
    { keepsIds: true },
  );
  await createIndex(target, 'redemptions', ['key_digest'], { unique: true });
};

/**
 * A log row is written with every request, so it is indexed only by what the hourly sums do not have: its user and its
 * time. The other filters of the log page find their hours in `log_hours`, which is indexed for each of them and far
 * smaller (an hour's later requests only add to a row), and read those hours by `created_at`. Rows of other types than
 * consumption are few and not in the sums.
 */
const createLogs = async (target: Target) => {
  await createTable(target, 'logs', {
    id: 'id',
    ...integers('user_id', 'created_at', 'type'),
    ...texts('content', 'username'),
    ...integers('token_id'),
    ...texts('token_name', 'model_name'),
    ...integers('quota', 'prompt_tokens', 'completion_tokens', 'channel_id'),
    ...texts('request_id'),
    ...integers('elapsed_time', 'is_stream', 'system_prompt_reset'),
    ...texts('detail'),
  });
  for (const column of ['user_id', 'created_at']) {
    await createIndex(target, 'logs', [column, 'id']);
  }
  await createIndex(target, 'logs', ['type', 'id'], { where: 'type <> 2' });
  await createTable(
    target,
    'log_hours',
    {
      ...integers('hour', 'user_id'),
      ...texts('token_name', 'model_name'),
      ...integers('channel_id', 'requests', 'quota', 'prompt_tokens', 'completion_tokens'),
    },
    { key: ['hour', 'user_id', 'token_name', 'model_name', 'channel_id'] },
  );
  for (const column of ['user_id', 'model_name', 'token_name', 'channel_id']) {
    await createIndex(target, 'log_hours', [column, 'hour']);
  }
};

const createPlane = async (target: Target) => {
  await createTable(target, 'options', { ...texts('key', 'value'), ...integers('version') }, { key: ['key'] });
  await createTable(
    target,
    'sessions',
    { ...texts('digest'), ...integers('user_id', 'created_at', 'seen_at', 'expires_at'), ...texts('data') },
    { key: ['digest'] },
  );
  await createIndex(target, 'sessions', ['user_id']);
  await createIndex(target, 'sessions', ['expires_at']);
  await createTable(
    target,
    'codes',
    { ...texts('purpose', 'subject', 'digest'), ...integers('tries', 'created_at', 'expires_at') },
    { key: ['purpose', 'subject'] },
  );
  await createTable(
    target,
    'attempts',
    { ...texts('subject'), ...integers('tries', 'last_at', 'blocked_until') },
    { key: ['subject'] },
  );
  await createIndex(target, 'attempts', ['last_at']);
  await createTable(
    target,
    'idempotency',
    {
      ...texts('key'),
      ...integers('user_id'),
      ...texts('request_digest'),
      ...integers('status'),
      ...texts('body'),
      ...integers('created_at'),
    },
    { key: ['user_id', 'key'] },
  );
  await createIndex(target, 'idempotency', ['created_at']);
  await createTable(
    target,
    'audit',
    {
      id: 'id',
      ...integers('created_at', 'actor_id'),
      ...texts('actor_name', 'action', 'subject', 'detail', 'address', 'request_id', 'previous_hash', 'hash'),
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
  await createTable(target, 'instance', texts('key', 'value'), { key: ['key'] });
  await createAccounts(target);
  await createChannels(target);
  await createMoney(target);
  await createLogs(target);
  await createPlane(target);
  await refuseChanges(target);
};
