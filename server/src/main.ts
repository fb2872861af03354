import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { buildApp } from './app.ts';
import defaultRatios from './billing/default-ratios.json' with { type: 'json' };
import { createAccounts } from './billing/accounts.ts';
import { readConfig, type Config } from './config.ts';
import { StartError } from './errors.ts';
import { createPasswords } from './http/passwords.ts';
import { runFirstStart } from './jobs/first-start.ts';
import { createRelay } from './relay/relay.ts';
import { openChanges } from './store/changes.ts';
import { openDatabase } from './store/database.ts';
import { loadOptions } from './store/options.ts';
import { createSecrets } from './store/secrets.ts';

const drainMs = 10 * 60_000;
const clock = { now: () => Date.now() };

const readBuild = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return `v${String(version)}`;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Starts everything that runs, from the database up. Resolves to what stops it again, in reverse order. */
const start = async (config: Config, log: Logger): Promise<() => Promise<void>> => {
  const secrets = createSecrets(config.secretKey);
  const db = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    nodeName: config.nodeName,
    secretFingerprint: secrets.fingerprint,
    onFatal: (error) => {
      log.fatal({ err: error }, 'nothing can be written any more');
      process.exit(1);
    },
  });
  const changes = await openChanges({ databaseUrl: config.databaseUrl });
  const options = await loadOptions({
    db,
    secrets,
    changes,
    defaults: {
      ModelRatio: JSON.stringify(defaultRatios.model_ratio),
      CompletionRatio: JSON.stringify(defaultRatios.completion_ratio),
      GroupRatio: JSON.stringify(defaultRatios.group_ratio),
    },
  });
  const passwords = createPasswords();
  const password = await runFirstStart({
    db,
    secrets,
    clock,
    hashPassword: passwords.hash,
    password: config.initialRootPassword,
    token: config.initialRootToken,
    accessToken: config.initialRootAccessToken,
  });
  const accounts = createAccounts({ db, changes, onError: (error) => log.error({ err: error }, 'a posting failed') });
  const relay = await createRelay({ db, secrets, changes, options, accounts, clock, log, config });
  const app = await buildApp({ config, db, secrets, changes, options, passwords, relay, clock, log, build: readBuild() });
  await app.listen({ port: config.port, host: config.host });
  const address = app.server.address();
  const port = address === null || typeof address === 'string' ? config.port : address.port;
  say(`Weir is ready on http://localhost:${port}`);
  if (password !== undefined) say(`Sign in as root with the password ${password} (shown only now; change it after signing in)`);
  return async () => {
    await app.close();
    await relay.close();
    accounts.close();
    options.close();
    await changes.close();
    await db.close();
  };
};

const explain = (error: unknown, config: Config): string => {
  if (error instanceof StartError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${config.port} is in use; choose another with PORT`;
  if (code === 'EACCES') return `Port ${config.port} may not be used by this account; choose another with PORT`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const fail = (line: string): never => {
  process.stderr.write(`Weir cannot start: ${line}\n`);
  process.exit(1);
};

const readEnvironment = (): Config => {
  try {
    return readConfig(process.env);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

const config = readEnvironment();
const log = pino({ level: config.logLevel });
const stop = await start(config, log).catch((error: unknown) => fail(explain(error, config)));

let stoppingSince = 0;
const drain = (signal: string): void => {
  if (stoppingSince > 0) {
    // npm, a wrapper and a supervisor each pass the same signal on; only a later one is impatience.
    if (clock.now() - stoppingSince > 1000) process.exit(1);
    return;
  }
  stoppingSince = clock.now();
  log.info({ signal }, 'stopping: running requests are finished first');
  setTimeout(() => process.exit(1), drainMs).unref();
  stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'stopping failed');
      process.exit(1);
    },
  );
};
process.on('SIGTERM', drain);
process.on('SIGINT', drain);
