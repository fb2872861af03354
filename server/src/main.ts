import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { readConfig, type Config } from './config.ts';
import { StartError } from './errors.ts';
import { startGateway } from './gateway.ts';
import { limitOutageLines } from './outage-log.ts';
import { findStartWarnings } from './start-warnings.ts';
import { openChanges } from './store/nodes/changes.ts';
import { openDatabase } from './store/open-database.ts';
import { createSecrets } from './store/credentials/secrets.ts';

/** Longer than the relay waits for what runs: then something hangs. */
const drainMs = 11 * 60_000;
const clock = { now: () => Date.now() };

/** A text member of the package's manifest; empty where there is none. */
const readManifest = (member: 'version' | 'repository'): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  const value: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, member) : undefined;
  return typeof value === 'string' ? value : '';
};

/** The latest release of the repository that the manifest names in npm's short form, `github:owner/name`. */
const releasesOfRepository = (): string | undefined => {
  const [, name] = /^github:([\w.-]+\/[\w.-]+)$/.exec(readManifest('repository')) ?? [];
  return name === undefined ? undefined : `https://api.github.com/repos/${name}/releases/latest`;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Starts everything that runs, from the database up. Resolves to what stops it again; a failed start leaves nothing. */
const start = async (config: Config, log: Logger): Promise<() => Promise<void>> => {
  await using started = new AsyncDisposableStack();
  const secrets = createSecrets(config.secretKey);
  const db = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    nodeName: config.nodeName,
    secretFingerprint: secrets.fingerprint,
    onMigration: (migration) => log.info({ migration }, 'migrating the database'),
    onFatal: (error) => {
      log.fatal({ err: error }, 'the database can no longer be written; exiting');
      process.exit(1);
    },
  });
  started.defer(db.close);
  const changes = await openChanges({ databaseUrl: config.databaseUrl });
  started.defer(changes.close);
  const gateway = await startGateway({
    config: { ...config, releasesUrl: config.releasesUrl ?? releasesOfRepository() },
    sizes: config,
    db,
    secrets,
    changes,
    clock,
    log,
    build: `v${readManifest('version')}`,
  });
  started.defer(gateway.close);
  const { port } = await gateway.listen(config);
  say(`Weir is ready on http://localhost:${port}`);
  if (gateway.firstPassword !== undefined) {
    say(`Sign in as root with the password ${gateway.firstPassword} (shown once; change it after signing in)`);
  }
  const ending = started.move();
  return () => ending.disposeAsync();
};

const explain = (error: unknown, config: Config): string => {
  if (error instanceof StartError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${config.port} is in use; choose another with PORT`;
  if (code === 'EACCES') return `Port ${config.port} needs more permissions; choose another with PORT`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const fail = (line: string): never => {
  process.stderr.write(`Weir cannot start: ${line}\n`);
  process.exit(1);
};

const readEnvironment = (): { readonly config: Config; readonly warnings: readonly string[] } => {
  try {
    const warnings = findStartWarnings(process.env);
    return { config: readConfig(process.env), warnings };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

const { config, warnings } = readEnvironment();
const log = pino({ level: config.logLevel, hooks: limitOutageLines(() => performance.now()) });
const stop = await start(config, log).catch((error: unknown) => fail(explain(error, config)));
if (config.trustedProxies.length === 0) {
  say('No proxy is declared (TRUSTED_PROXIES): clients with private addresses have no limits per network');
}
for (const warning of warnings) say(`Warning: ${warning}`);

let stoppingSince = 0;
const drain = (signal: string): void => {
  if (stoppingSince > 0) {
    // npm, a wrapper and a supervisor each pass the same signal on; only a later one is impatience.
    if (clock.now() - stoppingSince > 1000) process.exit(1);
    return;
  }
  stoppingSince = clock.now();
  log.info({ signal }, 'stopping: waiting for running requests');
  setTimeout(() => process.exit(1), drainMs).unref();
  stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    },
  );
};
process.on('SIGTERM', drain);
process.on('SIGINT', drain);
