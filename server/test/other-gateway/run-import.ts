import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Compared } from '../../src/import/comparison.ts';
import { checkImport, type ImportReport, runImport } from '../../src/import/run-import.ts';
import { openSource } from '../../src/import/sources/open-source.ts';
import { createSecrets } from '../../src/store/credentials/secrets.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import { parseObject, type Json } from '../parsing/json.ts';
import { killedAt } from '../processes/kill-at-output.ts';

const compileCache = join(import.meta.dirname, '..', '..', '..', '.cache', 'node');
const script = join(import.meta.dirname, '..', '..', 'src', 'import.ts');

export interface ImportHere {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  readonly secretKey: string;
  readonly logsFrom?: string;
  readonly isCheck?: boolean;
  readonly write?: (compared: Compared) => void;
}

export interface ImportRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface ImportCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Killed once it has written this. */
  readonly killAt?: string;
}

/** Runs the import as an operator does. */
export const runImportCommand = async ({ args, env, killAt }: ImportCommand): Promise<ImportRun> => {
  const child = spawn(process.execPath, [script, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      ...(killAt !== undefined && killedAt(killAt)),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, output, errors };
};

/** Imports in this process, or compares with what was imported; `write` gets every comparison. */
export const importHere = async (
  name: string,
  { logsFrom, isCheck = false, secretKey, write = () => undefined, ...database }: ImportHere,
): Promise<ImportReport> => {
  const source = await openSource(name);
  const logSource = logsFrom === undefined ? source : await openSource(logsFrom);
  const secrets = createSecrets(Buffer.from(secretKey, 'hex'));
  const db = await openDatabase({ ...database, secretFingerprint: secrets.fingerprint, importing: true });
  const at = Math.floor(Date.now() / 1000);
  const deps = { source, logSource, withLogs: true, at, say: () => undefined };
  try {
    return await (isCheck ? checkImport : runImport)(deps, { db, secrets, write });
  } finally {
    await db.close();
    await source.close();
    if (logSource !== source) await logSource.close();
  }
};

/** The report of a run with `--json`. */
export const reportOf = ({ output, errors }: ImportRun): Json => {
  if (output === '') throw new Error(errors);
  return parseObject(output);
};
