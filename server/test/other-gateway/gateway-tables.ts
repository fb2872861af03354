import { rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** A value as the other gateway stores it. */
export type Cell = string | number | bigint | boolean | null;
export type Row = Readonly<Record<string, Cell>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** Columns of One API's tables in the order in which its server makes them: whole numbers unless named here. */
const columns: Readonly<Record<string, string>> = {
  users:
    'id username password display_name role status email github_id wechat_id lark_id oidc_id access_token quota used_quota request_count group aff_code inviter_id',
  tokens:
    'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota models subnet',
  channels:
    'id type key status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping priority config system_prompt',
  options: 'key value',
  redemptions: 'id user_id key status name quota created_time redeemed_time',
  abilities: 'group model channel_id enabled priority',
  logs: 'id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens channel_id request_id elapsed_time is_stream system_prompt_reset',
};
const texts = new Set(
  'username password display_name email github_id wechat_id lark_id oidc_id group aff_code key name models subnet base_url other model_mapping config system_prompt value model content token_name model_name request_id model_limits allow_ips'.split(
    ' ',
  ),
);
const flags = new Set(['unlimited_quota', 'enabled', 'is_stream', 'system_prompt_reset', 'model_limits_enabled']);
/** Fixed width: PostgreSQL fills them up with blanks. */
const widths: Readonly<Record<string, number>> = { 'tokens key': 48, 'redemptions key': 32, 'users access_token': 32 };

type Kind = 'sqlite' | 'postgres' | 'mysql';

const typeOf = (kind: Kind, table: string, column: string): string => {
  const width = widths[`${table} ${column}`];
  if (width !== undefined) return `char(${width})`;
  if (column === 'balance') return kind === 'postgres' ? 'double precision' : 'real';
  if (flags.has(column)) return { sqlite: 'numeric', postgres: 'boolean', mysql: 'tinyint(1)' }[kind];
  if (column === 'deleted_at') return { sqlite: 'datetime', postgres: 'timestamptz', mysql: 'datetime(3)' }[kind];
  if (texts.has(column)) return kind === 'mysql' ? 'longtext' : 'text';
  return kind === 'sqlite' ? 'integer' : 'bigint';
};

const columnsOf = (table: string, rows: readonly Row[]): string[] => [
  ...new Set([...(columns[table] ?? '').split(' '), ...rows.flatMap((row) => Object.keys(row))]),
];

const quote = (kind: Kind, name: string): string => (kind === 'mysql' ? `\`${name}\`` : `"${name}"`);

const definition = (kind: Kind, table: string, names: readonly string[]): string => {
  const lines = names.map((name) => `  ${quote(kind, name)} ${typeOf(kind, table, name)}`);
  return `create table ${quote(kind, table)} (\n${lines.join(',\n')}\n)`;
};

/** All tables, empty ones too. */
const everyTable = (tables: Tables) =>
  Object.keys(columns).map((table) => {
    const rows = tables[table] ?? [];
    return { table, rows, names: columnsOf(table, rows) };
  });

/** Makes a SQLite file with the tables. */
export const writeSqliteFile = (path: string, tables: Tables): void => {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  database.exec('begin');
  for (const { table, rows, names } of everyTable(tables)) {
    database.exec(definition('sqlite', table, names));
    const insert = database.prepare(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    );
    for (const row of rows)
      insert.run(
        ...names.map((name) => {
          const value = row[name] ?? null;
          return typeof value === 'boolean' ? Number(value) : value;
        }),
      );
  }
  database.exec('commit');
  database.close();
};

/** Makes the tables in an empty PostgreSQL database. */
export const fillPostgres = async (url: string, tables: Tables): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const { table, rows, names } of everyTable(tables)) {
      await client.query(definition('postgres', table, names));
      for (const row of rows) {
        const values = names.map((name) => {
          const value = row[name] ?? null;
          if (flags.has(name) && value !== null) return value === true || value === 1;
          return typeof value === 'bigint' ? String(value) : value;
        });
        const places = names.map((_, index) => `$${index + 1}`).join(', ');
        await client.query(
          `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${places})`,
          values,
        );
      }
    }
  } finally {
    await client.end();
  }
};

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
};

const literal = (value: Cell): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'string') return String(value);
  return `'${value.replace(/[\n\r\\'"]/g, (mark) => escapes[mark] ?? mark)}'`;
};

/** A dump as `mysqldump` writes it: tables by name, several rows in a statement. */
export const dumpText = (tables: Tables): string => {
  const parts = everyTable(tables)
    .toSorted((one, other) => one.table.localeCompare(other.table))
    .map(({ table, rows, names }) => {
      const tuples = rows.map((row) => `(${names.map((name) => literal(row[name] ?? null)).join(',')})`);
      const insert = tuples.length === 0 ? '' : `INSERT INTO \`${table}\` VALUES\n${tuples.join(',\n')};\n`;
      return `--\n-- Table structure for table \`${table}\`\n--\n
DROP TABLE IF EXISTS \`${table}\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
${definition('mysql', table, names).replace('create table', 'CREATE TABLE')} ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES \`${table}\` WRITE;
/*!40000 ALTER TABLE \`${table}\` DISABLE KEYS */;
${insert}/*!40000 ALTER TABLE \`${table}\` ENABLE KEYS */;
UNLOCK TABLES;
`;
    });
  return `-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8mb4 */;\n${parts.join('\n')}\n-- Dump completed\n`;
};

export const writeDump = (path: string, tables: Tables): void => writeFileSync(path, dumpText(tables));
