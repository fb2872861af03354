import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type GatewayDeps, startGateway } from './gateway.ts';
import type { Database } from './store/database.ts';
import { openChanges } from './store/nodes/changes.ts';
import { openDatabase } from './store/open-database.ts';
import { resealSecrets } from './store/credentials/reseal.ts';
import { createSecrets, type Secrets } from './store/credentials/secrets.ts';

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

interface KeyChange {
  readonly db: Database;
  readonly previous: Secrets;
  readonly next: Secrets;
  readonly log: Logger;
}

const changeKey = async ({ db, previous, next, log }: KeyChange): Promise<void> => {
  const report = (table: string) => log.info({ table }, 'sealed anew with the changed secret key');
  await resealSecrets({ db, previous, next, say: report });
  log.info('the secret key is the changed one everywhere: PREVIOUS_SECRET_KEY may be removed');
};

export interface Serving {
  readonly port: number;
  /** The password that root got at the first start; undefined at later ones, or where the configuration has it. */
  readonly firstPassword: string | undefined;
  /** Stops everything, after a time in ms in which calls are still taken. */
  stop(drainMs: number): Promise<void>;
}

/** Starts everything that runs, from the database up. A failed start leaves nothing. */
export const serve = async (
  config: Config,
  log: Logger,
  { showMetrics }: Pick<GatewayDeps, 'showMetrics'> = {},
): Promise<Serving> => {
  await using started = new AsyncDisposableStack();
  const secrets = createSecrets(config.secretKey);
  const previous = config.previousSecretKey && createSecrets(config.previousSecretKey);
  const db = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    nodeName: config.nodeName,
    secretFingerprint: secrets.fingerprint,
    previousFingerprint: previous?.fingerprint,
    onMigration: (migration) => log.info({ migration }, 'migrating the database'),
    onFatal: (error) => {
      log.fatal({ err: error }, 'the database can no longer be written; exiting');
      process.exit(1);
    },
  });
  started.defer(db.close);
  if (previous !== undefined) await changeKey({ db, previous, next: secrets, log });
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
    ...(showMetrics !== undefined && { showMetrics }),
  });
  started.defer(gateway.close);
  const { port } = await gateway.listen(config);
  const ending = started.move();
  return {
    port,
    firstPassword: gateway.firstPassword,
    stop: async (drainMs) => {
      await gateway.drain(drainMs);
      await ending.disposeAsync();
    },
  };
};
