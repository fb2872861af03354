import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { variables } from './config-variables.ts';
import { readVariable } from './config.ts';
import { StartError } from './errors.ts';
import type { Compared } from './import/comparison.ts';
import { reportText } from './import/report-text.ts';
import { checkImport, type ImportDeps, type ImportReport, runImport, tryImport } from './import/run-import.ts';
import { openSource, shownSource } from './import/sources/open-source.ts';
import { readSecretKey } from './secret-key.ts';
import { createSecrets } from './store/credentials/secrets.ts';
import { databasePath } from './store/engine/data-directory.ts';
import { openDatabase } from './store/open-database.ts';

const usage = `npm run import -- --from <SQLite file, mysqldump file, postgres:// or mysql:// URL>
  --logs-from <…>  the log is in a database of its own (LOG_SQL_DSN)
  --no-logs        leave the log behind
  --dry-run        only report what would come over and what would not
  --check          only compare a finished import with its source
  --json           the report as JSON
The database to import into is that of DATA_DIR or DATABASE_URL, as for the server.`;

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      'logs-from': { type: 'string' },
      'no-logs': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
};

/** One API's own addresses of a database that is no PostgreSQL name no target. */
const targetEnvironment = (): NodeJS.ProcessEnv => {
  const { SQL_DSN: old, ...env } = process.env;
  return old !== undefined && /^postgres(?:ql)?:\/\//.test(old) ? process.env : env;
};

const readTarget = () => {
  const env = targetEnvironment();
  const databaseUrl = readVariable(env, variables.databaseUrl);
  const dataDir = resolve(readVariable(env, variables.dataDir));
  const nodeName = readVariable(env, variables.nodeName);
  const given = readVariable(env, variables.secretKey);
  if (databaseUrl !== undefined && given === undefined)
    throw new StartError('SECRET_KEY is required with DATABASE_URL: the keys are sealed with it');
  return { databaseUrl, dataDir, nodeName, secretKey: () => given ?? readSecretKey(dataDir) };
};

/** A file with every comparison of the proof: table, row, field, value there, value here. */
const openProofFile = (path: string) => {
  const file = openSync(path, 'w', 0o600);
  let lines = 'table,id,field,source,here,result\n';
  const flush = () => {
    writeSync(file, lines);
    lines = '';
  };
  const cell = (value: string | number): string => {
    if (typeof value === 'number') return String(value);
    // Spreadsheets run cells that begin so as formulas.
    const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const write = ({ table, id, field, source, here, result }: Compared) => {
    lines += `${[table, id, field, source, here, result].map(cell).join(',')}\n`;
    if (lines.length > 1_000_000) flush();
  };
  const close = () => {
    flush();
    closeSync(file);
  };
  return { write, close };
};

/** Runs an import or a check against the database of the environment. */
const withTarget = async (deps: ImportDeps, isCheck: boolean): Promise<ImportReport> => {
  const { databaseUrl, dataDir, nodeName, secretKey } = readTarget();
  if (isCheck && databaseUrl === undefined && !existsSync(databasePath(dataDir)))
    throw new StartError(`There is no database in ${dataDir}`);
  const secrets = createSecrets(secretKey());
  const db = await openDatabase({
    dataDir,
    databaseUrl,
    nodeName,
    secretFingerprint: secrets.fingerprint,
    importing: true,
  });
  const path = join(dataDir, 'import-proof.csv');
  const proofFile = openProofFile(path);
  try {
    const target = { db, secrets, write: proofFile.write };
    return await (isCheck ? checkImport(deps, target) : runImport(deps, target));
  } finally {
    proofFile.close();
    deps.say(`Every comparison: ${path}`);
    await db.close();
  }
};

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const main = async (): Promise<number> => {
  const values = readArguments();
  const { from, json, check } = values;
  if (from === undefined || values.help) {
    complain(usage);
    return 2;
  }
  const source = await openSource(from);
  const logsFrom = values['logs-from'];
  const logSource = logsFrom === undefined ? source : await openSource(logsFrom);
  const say = (line: string) => complain(line);
  const deps: ImportDeps = { source, logSource, withLogs: !values['no-logs'], at: Math.floor(Date.now() / 1000), say };
  try {
    say(`Reading ${shownSource(from)}`);
    const report = values['dry-run'] ? await tryImport(deps) : await withTarget(deps, check);
    process.stdout.write(`${json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
    return report.isBlocked || report.proof?.isEqual === false ? 1 : 0;
  } finally {
    await source.close();
    if (logSource !== source) await logSource.close();
  }
};

try {
  process.exitCode = await main();
} catch (error) {
  complain(`Nothing is proven: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
