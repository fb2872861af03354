import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../server/src/store/open-database.ts';
import { sumNextHour } from '../server/src/store/logs/log-days.ts';

/** Size of the measured database. */
export interface Scale {
  readonly logs: number;
  readonly users: number;
  readonly tokens: number;
  readonly codes: number;
  readonly channels: number;
}

/** The year of the log ends here (unix seconds), on the hour. */
export const seededUntil = 1_790_000_000 - (1_790_000_000 % 3600);
const year = 365 * 86_400;
export const seededFrom = seededUntil - year;

/**
 * Multiplicative hash of an expression, from 0 to below 1: pseudo-random, and the same in every run. Each salt has a
 * factor of its own, from an irrational root, so that the values of a row do not follow from each other.
 */
const chance = (expression: string, salt: number): string =>
  `((${expression}) * ${Math.floor((Math.sqrt(salt + 20) % 1) * 2 ** 32)} % 4294967296 / 4294967296.0)`;

/** Numbers from 1 on. */
const numbers = (count: number): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;

const accounts = ({ users, tokens, codes, channels }: Scale): string[] => [
  `insert into users (username, display_name, password_hash, must_change_password, role, status, email, github_id,
      github_uid, wechat_id, lark_id, oidc_id, "group", available, held, used, request_count, aff_code, inviter_id,
      access_token_digest, created_time)
    ${numbers(users)} select printf('%s%06d', substr('kmtrsabln', 1 + n % 9, 1), n), 'Person ' || n, '', 0,
      case when n = 1 then 100 else 1 end, 1, 'person' || n || '@example.com', '', '', '', '', '', 'default',
      cast(1e7 * ${chance('n', 1)} as integer), 0, cast(1e9 * ${chance('n', 2)} as integer), n % 1000,
      printf('%05x', n), 0, '', ${seededFrom} from numbers`,
  `insert into tokens (user_id, key_digest, key_sealed, status, name, created_time, accessed_time, expired_time,
      unlimited_quota, available, held, used, models, subnet, deleted_time)
    ${numbers(tokens)} select 1 + n % ${users}, 'digest' || n, '', 1,
      case when n % 3 = 0 then 'default' else 'key ' || (n % 5000) end, ${seededFrom}, ${seededFrom}, -1,
      n % 2, cast(1e6 * ${chance('n', 3)} as integer), 0, cast(1e6 * ${chance('n', 4)} as integer), '', '', 0
      from numbers`,
  // The largest account has the largest realistic number of tokens.
  `update tokens set user_id = 1 where id <= ${Math.min(tokens, 20_000)}`,
  `insert into redemptions (user_id, key_digest, key_sealed, status, name, quota, created_time, redeemed_time,
      redeemed_user_id, deleted_time)
    ${numbers(codes)} select 1, 'digest' || n, '', 1 + n % 2, 'batch ' || (n / 100), 100000, ${seededFrom}, 0, 0, 0
      from numbers`,
  `insert into channels (type, key_sealed, key_digest, key_tail, status, status_reason, name, weight, priority,
      created_time, test_time, response_time, base_url, other, balance, balance_updated_time, models, "group", used,
      model_mapping, config, system_prompt, deleted_time)
    ${numbers(channels)} select 1, '', 'digest' || n, 'abcd', 1, '', 'Channel ' || n, 0, 0, ${seededFrom}, 0, 500, '',
      '', 0, 0, 'model-1', 'default', 0, '', '', '', 0 from numbers`,
];

/** Calls of one user with the same key and model come in short series, as from a program. */
const burst = 'n / 4';
const userOf = (users: number): string => {
  const u = chance(burst, 11);
  return `1 + cast(${users} * ${u} * ${u} * ${u} * ${u} as integer)`;
};
const isOther = 'n % 100 = 0';

const logRows = ({ logs, users, channels }: Scale): string => `
  insert into logs (user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
    prompt_tokens, completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
  ${numbers(logs)},
  picks as (select n, ${userOf(users)} as user_id, ${chance(burst, 12)} as key, ${chance(burst, 13)} as model,
    ${chance('n', 14)} as size, cast(${seededFrom} + n * (${year}.0 / ${logs}) as integer) as at from numbers)
  select user_id, at,
    case when ${isOther} then case when n % 1000 = 0 then 1 + 2 * (n / 1000 % 2) when n % 700 = 0 then 4 else 5 end else 2 end,
    case when ${isOther} then 'channel Channel ' || (n % ${channels}) || ' test succeeded' else 'ratio: 1.25 × 1.00 × 4.00' end,
    printf('%s%06d', substr('kmtrsabln', 1 + user_id % 9, 1), user_id), user_id,
    case when ${isOther} then '' when key < 0.5 then 'default' else 'key ' || ((user_id * 7 + cast(key * 6 as integer)) % 5000) end,
    'model-' || (1 + cast(40 * model * model as integer)),
    case when ${isOther} then 0 else 1 + cast(20000 * size * size as integer) end,
    case when ${isOther} then 0 else cast(8000 * size as integer) end,
    case when ${isOther} then 0 else cast(900 * size as integer) end,
    1 + (cast(40 * model * model as integer) * 5 + n % 5) % ${channels},
    '20260101000000' || printf('%019d', n), cast(30000 * size as integer), n % 2, 0,
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

/** Drops the secondary indexes of tables, runs statements, and creates the indexes again. */
const withoutIndexes = (file: DatabaseSync, tables: readonly string[], work: () => void): void => {
  const list = tables.map((table) => `'${table}'`).join(', ');
  const indexes = file.prepare(
    `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${list})`,
  );
  const found = indexes.all().map((row) => ({ name: String(row['name']), sql: String(row['sql']) }));
  for (const { name } of found) file.exec(`drop index "${name}"`);
  work();
  for (const { sql } of found) file.exec(sql);
};

const report = (what: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);

/** Fills an empty data directory. The migrations create the schema, the gateway's own code the sums by day. */
export const seed = async (dataDir: string, scale: Scale): Promise<void> => {
  await (await openDatabase({ dataDir })).close();
  const file = new DatabaseSync(join(dataDir, 'weir.db'));
  file.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = file',
  );
  withoutIndexes(file, ['users', 'tokens', 'redemptions'], () => {
    for (const text of accounts(scale)) file.exec(text);
  });
  report('accounts created');
  withoutIndexes(file, ['logs', 'log_hours'], () => {
    file.exec(logRows(scale));
    report('log rows created');
    file.exec(hourRows);
    report('hourly sums created');
  });
  file.exec(ledgerRows);
  file.exec('pragma journal_mode = wal');
  file.close();
  report('indexes created');
  const db = await openDatabase({ dataDir });
  while (await sumNextHour(db, seededUntil / 3600));
  await db.close();
  report('sums by day created');
};
