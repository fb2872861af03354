import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { openDumpSource } from './dump-source.ts';
import { openPostgresSource } from './postgres-source.ts';
import { type Source, SourceError } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';

const sqliteHead = 'SQLite format 3\0';
/** One API's own form of a MySQL address, as its SQL_DSN has it. */
const goAddress = /^([^:@/]+)(?::(.*))?@tcp\(([^)]+)\)\/([^?]+)(?:\?.*)?$/;

/** The URL of a MySQL that is named in One API's own form. */
const mysqlUrl = (text: string): string | undefined => {
  if (/^(?:mysql|mariadb):\/\//.test(text)) return text;
  const [, user, password = '', host, name] = goAddress.exec(text) ?? [];
  if (user === undefined || host === undefined || name === undefined) return undefined;
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${encodeURIComponent(name)}`;
};

const headOf = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(sqliteHead.length);
    return head.toString('latin1', 0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
};

const openFile = async (path: string): Promise<Source> => {
  if (!existsSync(path)) throw new SourceError(`There is no file ${path}`);
  const head = headOf(path);
  if (head === sqliteHead) return openSqliteSource(path);
  if (head.startsWith('\u001F\u008B')) throw new SourceError(`${path} is compressed; unpack it first`);
  if (head.startsWith('PGDMP')) throw new SourceError(`${path} is a dump of PostgreSQL; restore it, and name its URL`);
  return openDumpSource(path);
};

/** Opens what an operator names: a SQLite file, a dump of MySQL, or the address of a PostgreSQL or MySQL database. */
export const openSource = async (name: string): Promise<Source> => {
  const mysql = mysqlUrl(name);
  if (mysql !== undefined) return (await import('./mysql-source.ts')).openMysqlSource(mysql);
  if (/^postgres(?:ql)?:\/\//.test(name)) return openPostgresSource(name);
  // One API's SQLITE_PATH may have settings behind the name.
  return openFile(existsSync(name) ? name : name.replace(/\?.*$/, ''));
};

/** What a source is called where its password must not be shown. */
export const shownSource = (name: string): string => {
  const url = mysqlUrl(name) ?? (/^postgres(?:ql)?:\/\//.test(name) ? name : undefined);
  if (url === undefined || !URL.canParse(url)) return name;
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
};
