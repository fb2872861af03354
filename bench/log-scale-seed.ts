import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { openDatabase } from '../server/src/store/open-database.ts';
import { allowLong } from '../server/src/store/imports/import-rows.ts';
import { sumDaysAtOnce, sumNextHour, sumNextHourByName } from '../server/src/store/logs/log-days.ts';

/** Size of the measured database. */
export interface Scale {
  readonly logs: number;
  readonly users: number;
  readonly tokens: number;
  readonly codes: number;
  readonly channels: number;
}

/** Where the measured database is. */
export interface Place {
  readonly dataDir: string;
  /** Undefined: a file of SQLite in the directory. */
  readonly databaseUrl: string | undefined;
}

/** The year of the log ends here (unix seconds), on the hour. */
export const seededUntil = 1_790_000_000 - (1_790_000_000 % 3600);
const year = 365 * 86_400;
export const seededFrom = seededUntil - year;

/** The database that is filled, and what the two kinds write differently. */
interface Target {
  /** Query text before which a table `numbers (n)` of the numbers of a range, both ends included, is defined. */
  numbers(from: number, to: number): string;
  /** A number as text, with zeros in front. */
  pad(expression: string, digits: number): string;
  /** At the end of a query: its columns are computed once for each row, however often they are used. */
  readonly once: string;
  run(text: string): Promise<void>;
  /** Secondary indexes: how to drop and to create each. */
  indexes(tables: readonly string[]): Promise<readonly { readonly drop: string; readonly create: string }[]>;
  /** The rows are there: the gateway's own code follows, and then `close`. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

const listOf = (tables: readonly string[]): string => tables.map((table) => `'${table}'`).join(', ');

const openSqliteTarget = (dataDir: string): Target => {
  const file = new DatabaseSync(join(dataDir, 'weir.db'));
  file.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = file',
  );
  return {
    numbers: (from, to) =>
      `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to})`,
    pad: (expression, digits) => `printf('%0${digits}d', ${expression})`,
    once: '',
    run: async (text) => file.exec(text),
    indexes: async (tables) =>
      file
        .prepare(
          `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${listOf(tables)})`,
        )
        .all()
        .map((row) => ({ drop: `drop index "${String(row['name'])}"`, create: String(row['sql']) })),
    commit: async () => {
      file.exec('pragma journal_mode = wal');
      file.close();
    },
    close: async () => undefined,
  };
};

const openPostgresTarget = async (databaseUrl: string): Promise<Target> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // Indexes are built by sorting, in memory as far as it goes.
  await client.query("set maintenance_work_mem = '2GB'; set work_mem = '1GB'");
  // Rows of a table that was emptied in their own transaction need no write-ahead log where `wal_level` is minimal.
  await client.query('begin; truncate logs, log_hours');
  return {
    numbers: (from, to) => `with numbers (n) as (select generate_series(${from}::bigint, ${to}::bigint))`,
    pad: (expression, digits) => `lpad((${expression})::text, ${digits}, '0')`,
    once: 'offset 0',
    run: async (text) => void (await client.query(text)),
    indexes: async (tables) => {
      const { rows } = await client.query<{ name: string; definition: string }>(
        `select indexname as name, indexdef as definition from pg_indexes where schemaname = current_schema()
          and tablename in (${listOf(tables)})
          and indexname not in (select conname from pg_constraint)`,
      );
      return rows.map(({ name, definition }) => ({ drop: `drop index "${name}"`, create: definition }));
    },
    commit: async () => void (await client.query('commit')),
    // The planner knows the rows, and the pages of which all rows are visible, as it does where they came one by one.
    close: async () => {
      await client.query("select setval(pg_get_serial_sequence('logs', 'id'), max(id)) from logs");
      await client.query('vacuum (analyze)');
      await client.end();
    },
  };
};

/**
 * Multiplicative hash of an expression, from 0 to below 1: pseudo-random, and the same in every run. Each salt has a
 * factor of its own, from an irrational root, so that the values of a row do not follow from each other.
 */
const chance = (expression: string, salt: number): string =>
  `(cast((${expression}) * ${Math.floor((Math.sqrt(salt + 20) % 1) * 2 ** 32)} % 4294967296 as double precision) / 4294967296.0)`;

/** A whole number, rounded down. */
const whole = (expression: string): string => `cast(floor(${expression}) as bigint)`;

/** As few different first letters as names have. */
const nameOf = (target: Target, expression: string): string =>
  `substr('kmtrsabln', cast(1 + ${expression} % 9 as integer), 1) || ${target.pad(expression, 6)}`;

const accounts = (target: Target, { users, tokens, codes, channels }: Scale): string[] => [
  `insert into users (username, display_name, password_hash, must_change_password, role, status, email, github_id,
      github_uid, wechat_id, lark_id, oidc_id, "group", available, held, used, request_count, aff_code, inviter_id,
      access_token_digest, created_time)
    ${target.numbers(1, users)} select ${nameOf(target, 'n')}, 'Person ' || n, '', 0,
      case when n = 1 then 100 else 1 end, 1, 'person' || n || '@example.com', '', '', '', '', '', 'default',
      ${whole(`1e7 * ${chance('n', 1)}`)}, 0, ${whole(`1e9 * ${chance('n', 2)}`)}, n % 1000,
      ${target.pad('n', 6)}, 0, '', ${seededFrom} from numbers`,
  `insert into tokens (user_id, key_digest, key_sealed, status, name, created_time, accessed_time, expired_time,
      unlimited_quota, available, held, used, models, subnet, deleted_time)
    ${target.numbers(1, tokens)} select 1 + n % ${users}, 'digest' || n, '', 1,
      case when n % 3 = 0 then 'default' else 'key ' || (n % 5000) end, ${seededFrom}, ${seededFrom}, -1,
      n % 2, ${whole(`1e6 * ${chance('n', 3)}`)}, 0, ${whole(`1e6 * ${chance('n', 4)}`)}, '', '', 0
      from numbers`,
  // The largest account has the largest realistic number of tokens.
  `update tokens set user_id = 1 where id <= ${Math.min(tokens, 20_000)}`,
  `insert into redemptions (user_id, key_digest, key_sealed, status, name, quota, created_time, redeemed_time,
      redeemed_user_id, deleted_time)
    ${target.numbers(1, codes)} select 1, 'digest' || n, '', 1 + n % 2, 'batch ' || (n / 100), 100000, ${seededFrom}, 0, 0, 0
      from numbers`,
  `insert into channels (type, key_sealed, key_digest, key_tail, status, status_reason, name, weight, priority,
      created_time, test_time, response_time, base_url, other, balance, balance_updated_time, models, "group", used,
      model_mapping, config, system_prompt, deleted_time)
    ${target.numbers(1, channels)} select 1, '', 'digest' || n, 'abcd', 1, '', 'Channel ' || n, 0, 0, ${seededFrom}, 0, 500, '',
      '', 0, 0, 'model-1', 'default', 0, '', '', '', 0 from numbers`,
];

/** Calls of one user with the same key and model come in short series, as from a program. */
const burst = 'n / 4';
const userOf = (users: number): string => {
  const u = chance(burst, 11);
  return `1 + ${whole(`${users} * ${u} * ${u} * ${u} * ${u}`)}`;
};
const isOther = 'n % 100 = 0';

/** Rows of a range of ids. */
const logRows = (target: Target, { logs, users, channels }: Scale, from: number, to: number): string => `
  insert into logs (id, user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
    prompt_tokens, completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
  ${target.numbers(from, to)},
  picks as (select n, ${userOf(users)} as user_id, ${chance(burst, 12)} as key, ${chance(burst, 13)} as model,
    ${chance('n', 14)} as size, ${whole(`${seededFrom} + n * cast(${year / logs} as double precision)`)} as at
    from numbers ${target.once})
  select n, user_id, at,
    case when ${isOther} then case when n % 1000 = 0 then 1 + 2 * (n / 1000 % 2) when n % 700 = 0 then 4 else 5 end else 2 end,
    case when ${isOther} then 'channel Channel ' || (n % ${channels}) || ' test succeeded' else 'ratio: 1.25 × 1.00 × 4.00' end,
    ${nameOf(target, 'user_id')}, user_id,
    case when ${isOther} then '' when key < 0.5 then 'default' else 'key ' || ((user_id * 7 + ${whole('key * 6')}) % 5000) end,
    'model-' || (1 + ${whole('40 * model * model')}),
    case when ${isOther} then 0 else 1 + ${whole('20000 * size * size')} end,
    case when ${isOther} then 0 else ${whole('8000 * size')} end,
    case when ${isOther} then 0 else ${whole('900 * size')} end,
    1 + (${whole('40 * model * model')} * 5 + n % 5) % ${channels},
    '20260101000000' || ${target.pad('n', 19)}, ${whole('30000 * size')}, n % 2, 0,
    '{"model_ratio":"1.25","completion_ratio":"4","group_ratio":"1","held":5000,"attempts":[{"channel":1,"status":200,"ms":812}]}'
  from picks`;

const hourRows = `
  insert into log_hours (hour, user_id, token_name, model_name, channel_id, token_id, requests, quota, prompt_tokens, completion_tokens)
  select created_at / 3600, user_id, token_name, model_name, channel_id, token_id, count(*), sum(quota),
    sum(prompt_tokens), sum(completion_tokens) from logs where type = 2 group by 1, 2, 3, 4, 5, 6`;

/** Charges of the newest requests, for searches by request id. */
const ledgerRows = `
  insert into ledger (op_key, kind, user_id, token_id, channel_id, amount, unrecovered, request_id, price_version,
    estimated, actor_id, reason, created_at)
  select 'use:' || request_id, 'use', user_id, token_id, channel_id, quota, 0, request_id, 1, 0, 0, '', created_at
    from logs where type = 2 order by id desc limit 1000000`;

const report = (what: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);

/** Drops the secondary indexes of tables, runs statements, and creates the indexes again. */
const withoutIndexes = async (target: Target, tables: readonly string[], work: () => Promise<void>): Promise<void> => {
  const found = await target.indexes(tables);
  for (const { drop } of found) await target.run(drop);
  await work();
  for (const { create } of found) {
    await target.run(create);
    report(create);
  }
};

const logsAtOnce = 10_000_000;

/** Fills an empty database. The migrations create the schema, the gateway's own code the sums by day. */
export const seed = async (place: Place, scale: Scale): Promise<void> => {
  await (await openDatabase(place)).close();
  const target =
    place.databaseUrl === undefined ? openSqliteTarget(place.dataDir) : await openPostgresTarget(place.databaseUrl);
  await withoutIndexes(target, ['users', 'tokens', 'redemptions'], async () => {
    for (const text of accounts(target, scale)) await target.run(text);
  });
  report('accounts created');
  await withoutIndexes(target, ['logs', 'log_hours'], async () => {
    for (let from = 1; from <= scale.logs; from += logsAtOnce) {
      await target.run(logRows(target, scale, from, Math.min(scale.logs, from + logsAtOnce - 1)));
      report(`log rows from ${from} on created`);
    }
    await target.run(hourRows);
    report('hourly sums created');
  });
  await target.run(ledgerRows);
  await target.commit();
  report('rows and indexes created');
  const db = await openDatabase(place);
  const hours = seededUntil / 3600;
  await db.write.transaction().execute(async (trx) => {
    await allowLong(trx, db.kind);
    await sumDaysAtOnce(trx, Math.floor(hours / 24));
  });
  while (await sumNextHour(db, hours));
  while (await sumNextHourByName(db));
  await db.close();
  report('sums by day and by name created');
  await target.close();
  report('closed');
};
