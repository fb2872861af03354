import { type Config, type Variable, variables } from './config-variables.ts';
import { StartError } from './errors.ts';
import { readSecretKey } from './secret-key.ts';

export type { Config };

type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a variable and the name it was found under; a blank one counts as absent. */
const find = (
  env: Environment,
  variable: Omit<Variable<unknown>, 'read'>,
): readonly [name: string, text: string | undefined] => {
  const { name, oldName, fromOld = (text) => text, verbatim } = variable;
  const textOf = (key: string): string | undefined => {
    const text = env[key];
    if (text === undefined || text.trim() === '') return undefined;
    return verbatim === true ? text : text.trim();
  };
  const text = textOf(name);
  const old = text !== undefined || oldName === undefined ? undefined : textOf(oldName);
  return oldName === undefined || old === undefined ? [name, text] : [oldName, fromOld(old)];
};

/** Reads one variable. Throws `StartError` naming it where it is wrong. */
export const readVariable = <Value>(env: Environment, variable: Variable<Value>): Value => {
  const [name, text] = find(env, variable);
  try {
    return variable.read(text);
  } catch (error) {
    throw new StartError(`${name} ${error instanceof Error ? error.message : String(error)}`, error);
  }
};

/** Reads the environment. Throws `StartError` naming the first variable that is wrong. */
export const readConfig = (env: Environment): Config => {
  const databaseUrl = readVariable(env, variables.databaseUrl);
  const dataDir = readVariable(env, variables.dataDir);
  const secretKey = readVariable(env, variables.secretKey);
  if (databaseUrl !== undefined && secretKey === undefined) {
    throw new StartError('SECRET_KEY is required with DATABASE_URL, so that every node decrypts the same secrets');
  }
  const workers = readVariable(env, variables.workers);
  if (workers > 1 && databaseUrl === undefined) {
    throw new StartError('WORKERS above 1 needs DATABASE_URL: a SQLite file has one process that writes');
  }
  return {
    port: readVariable(env, variables.port),
    host: readVariable(env, variables.host),
    dataDir,
    databaseUrl,
    previousSecretKey: readVariable(env, variables.previousSecretKey),
    initialRootPassword: readVariable(env, variables.initialRootPassword),
    initialRootToken: readVariable(env, variables.initialRootToken),
    initialRootAccessToken: readVariable(env, variables.initialRootAccessToken),
    trustedProxies: readVariable(env, variables.trustedProxies),
    privateUpstreams: readVariable(env, variables.privateUpstreams),
    httpsProxy: readVariable(env, variables.httpsProxy),
    httpProxy: readVariable(env, variables.httpProxy),
    noProxy: readVariable(env, variables.noProxy),
    logLevel: readVariable(env, variables.logLevel),
    nodeName: readVariable(env, variables.nodeName),
    workers,
    drainSeconds: readVariable(env, variables.drainSeconds),
    githubUrl: readVariable(env, variables.githubUrl),
    releasesUrl: readVariable(env, variables.releasesUrl),
    larkUrl: readVariable(env, variables.larkUrl),
    channelTestMinutes: readVariable(env, variables.channelTestMinutes),
    channelTestPauseSeconds: readVariable(env, variables.channelTestPauseSeconds),
    testPrompt: readVariable(env, variables.testPrompt),
    watchesSuccess: readVariable(env, variables.watchesSuccess),
    successCalls: readVariable(env, variables.successCalls),
    successLeast: readVariable(env, variables.successLeast),
    turnstileUrl: readVariable(env, variables.turnstileUrl),
    memoryMb: readVariable(env, variables.memoryMb),
    memoryUserMb: readVariable(env, variables.memoryUserMb),
    memoryCallMb: readVariable(env, variables.memoryCallMb),
    bodyMaxMb: readVariable(env, variables.bodyMaxMb),
    answerMaxMb: readVariable(env, variables.answerMaxMb),
    eventMaxMb: readVariable(env, variables.eventMaxMb),
    contentMaxMb: readVariable(env, variables.contentMaxMb),
    telemetryUrl: readVariable(env, variables.telemetryUrl),
    telemetryFormat: readVariable(env, variables.telemetryFormat),
    tracedShare: readVariable(env, variables.tracedShare),
    serviceName: readVariable(env, variables.serviceName),
    logSinkUrl: readVariable(env, variables.logSinkUrl),
    archiveDir: readVariable(env, variables.archiveDir),
    archiveAfterMonths: readVariable(env, variables.archiveAfterMonths),
    secretKey: secretKey ?? readSecretKey(dataDir),
  };
};
