import { pino } from 'pino';
import { readConfig, type Config } from './config.ts';
import { AppError, StartError } from './errors.ts';
import { limitOutageLines } from './outage-log.ts';
import { reasonOf } from './store/engine/database-error.ts';
import { serve, type Serving } from './serve.ts';
import { findStartWarnings } from './start-warnings.ts';
import { openWorkerLink } from './worker-link.ts';
import { startWorkers } from './workers.ts';

/** Longer than the relay waits for what runs: then something hangs. */
const settledMs = 11 * 60_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const explain = (error: unknown, config: Config): string => {
  if (error instanceof StartError) return error.message;
  if (error instanceof AppError && error.code === 'unavailable')
    return `The database cannot be used: ${reasonOf(error)}`;
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
/** One of several processes on the port; undefined: the only one, or the primary, which starts and ends the others. */
const link = openWorkerLink();
const start = (): Promise<Serving> =>
  link === undefined && config.workers > 1
    ? startWorkers({ count: config.workers, nodeName: config.nodeName, dataDir: config.dataDir, log })
    : serve(config, log, link);
const serving = await start().catch((error: unknown) => fail(explain(error, config)));
const { port, firstPassword, stop } = serving;

/** What an operator reads at the start. */
const introduce = (): void => {
  say(`Weir is ready on http://localhost:${port}`);
  if (firstPassword !== undefined) {
    say(`Sign in as root with the password ${firstPassword} (shown once; change it after signing in)`);
  }
  if (config.trustedProxies.length === 0) {
    say('No proxy is declared (TRUSTED_PROXIES): clients with private addresses have no limits per network');
  }
  for (const warning of warnings) say(`Warning: ${warning}`);
};
if (link === undefined) introduce();
else link.ready(serving);

let stoppingSince = 0;
const drain = (signal: NodeJS.Signals): void => {
  if (stoppingSince > 0) {
    // npm, a wrapper and a supervisor each pass the same signal on; only a later one is impatience.
    if (Date.now() - stoppingSince > 1000) process.exit(1);
    return;
  }
  stoppingSince = Date.now();
  log.info({ signal }, 'stopping: waiting for running requests');
  // A terminal sends SIGINT: no balancer is to notice anything.
  const drainMs = signal === 'SIGTERM' ? config.drainSeconds * 1000 : 0;
  setTimeout(() => process.exit(1), drainMs + settledMs).unref();
  stop(drainMs).then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    },
  );
};
process.on('SIGTERM', drain);
process.on('SIGINT', drain);
// The primary has ended without a word.
if (link !== undefined) process.on('disconnect', () => drain('SIGTERM'));
