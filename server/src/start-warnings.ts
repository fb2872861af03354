import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { variables } from './config-variables.ts';
import { readVariable } from './config.ts';
import { StartError } from './errors.ts';
import { databasePath } from './store/engine/data-directory.ts';
import { isOtherGatewayFile } from './store/engine/other-gateway.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const isEmpty = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;

/** A file that the old name of the data directory names, and that is not the database of this program. */
const otherDatabase = (env: Environment): string | undefined => {
  const { name, oldName } = variables.dataDir;
  const [file = ''] = (env[oldName] ?? '').trim().split('?', 1);
  const isUsed = (env[name] ?? '').trim() === '' && file !== '';
  return isUsed && basename(file) !== basename(databasePath('.')) && existsSync(file) ? file : undefined;
};

const importHint = (file: string): string => `npm run import -- --from ${file} (docs/moving-from-one-api.md)`;

/** The file that One API makes where no variable names another. */
const usualName = 'one-api.db';

/** The database of One API in the data directory itself. */
const neighbour = (dataDir: string): string | undefined => {
  const file = join(dataDir, usualName);
  return existsSync(file) && isOtherGatewayFile(file) ? file : undefined;
};

/**
 * What an operator would not expect of a start with this environment, although it succeeds. To be called before the start
 * makes any file. Throws `StartError` where the environment names the database of One API: an operator who comes from
 * there expects the accounts in it.
 */
export const findStartWarnings = (env: Environment): readonly string[] => {
  const dataDir = readVariable(env, variables.dataDir);
  const path = databasePath(dataDir);
  if (readVariable(env, variables.databaseUrl) !== undefined || !isEmpty(path)) return [];
  const warnings: string[] = [];
  const other = otherDatabase(env);
  if (other !== undefined && isOtherGatewayFile(other)) {
    throw new StartError(
      `${variables.dataDir.oldName} names ${other}, the database of One API. Import it first: ${importHint(other)}. To start with an empty database, set ${variables.dataDir.name} instead`,
    );
  }
  const beside = other === undefined ? neighbour(dataDir) : undefined;
  if (beside !== undefined) {
    warnings.push(
      `${beside} is the database of One API, and ${path} is new and empty. To import it: ${importHint(beside)}`,
    );
  }
  if (other !== undefined) {
    warnings.push(
      `${variables.dataDir.oldName} names ${other}, which Weir cannot read; ${path} is a new, empty database`,
    );
  }
  const key = join(dataDir, 'secret.key');
  if (!isEmpty(key)) {
    warnings.push(
      `${key} is from an earlier start, but ${path} was missing or empty: it is a new database without accounts, channels and balances. To keep the earlier data, stop Weir and restore ${path}`,
    );
  }
  return warnings;
};
