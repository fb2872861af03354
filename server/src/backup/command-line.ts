import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { variables } from '../config-variables.ts';
import { readVariable } from '../config.ts';
import { readDatabaseUrl } from '../config-values.ts';
import { StartError } from '../errors.ts';
import type { CopyPlace } from '../store/copies/copy-place.ts';
import { readKeyFile } from './check-backup.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A place as an operator names it: a data directory or a PostgreSQL URL; nothing: that of the environment. */
export const placeOf = (text: string | undefined): CopyPlace => {
  const dataDir = resolve(readVariable(process.env, variables.dataDir));
  if (text === undefined) return { dataDir, databaseUrl: readVariable(process.env, variables.databaseUrl) };
  if (/^postgres(?:ql)?:/.test(text)) return { dataDir, databaseUrl: readDatabaseUrl(text) };
  if (/^[a-z]+:\/\//.test(text)) throw new StartError(`${text.replace(/:.*/s, '')} URLs name no database of Weir`);
  return { dataDir: resolve(text), databaseUrl: undefined };
};

/** The key of the environment, or of a data directory. */
export const keyOf = ({ dataDir, databaseUrl }: CopyPlace): Buffer | undefined =>
  readVariable(process.env, variables.secretKey) ?? (databaseUrl === undefined ? readKeyFile(dataDir) : undefined);

/** Reads the arguments; a wrong one, or a missing positional, is one line. */
export const readArguments = <Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  positionals: number,
) => {
  try {
    const read = parseArgs({ options, allowPositionals: positionals > 0 });
    if (read.positionals.length > positionals) throw new Error(`Too many arguments: ${read.positionals.join(' ')}`);
    return read;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)} (--help shows the usage)`, error);
  }
};

/** Runs a command: its exit code is what `main` returns, or 1 after one line about what went wrong. */
export const runCommand = async (usage: string, main: () => Promise<number>): Promise<void> => {
  if (process.argv.includes('--help')) {
    say(usage);
    return;
  }
  try {
    process.exitCode = await main();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = 1;
  }
};
